import { Module } from '@nestjs/common';
import { AssetsInUse } from './assets-in-use.js';
import { UsagesRepository } from './usages.repository.js';

/** Where assets are used. A leaf module, used by the trash and by the agents. */
@Module({
  providers: [AssetsInUse, UsagesRepository],
  exports: [AssetsInUse, UsagesRepository],
})
export class UsagesModule {}
