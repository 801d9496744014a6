import { Global, Module } from '@nestjs/common';
import { SmallFiles } from './small-files.js';
import { StorageService } from './storage.service.js';
import { TempFiles } from './temp-files.js';

@Global()
@Module({
  providers: [SmallFiles, StorageService, TempFiles],
  exports: [SmallFiles, StorageService, TempFiles],
})
export class StorageModule {}
