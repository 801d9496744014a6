import { Global, Module } from '@nestjs/common';
import { BucketControl } from './bucket-control.js';
import { Installation } from './installation.js';
import { InstallationRepository } from './installation.repository.js';
import { SmallFiles } from './small-files.js';
import { StorageService } from './storage.service.js';
import { TempFiles } from './temp-files.js';

@Global()
@Module({
  providers: [BucketControl, Installation, InstallationRepository, SmallFiles, StorageService, TempFiles],
  exports: [BucketControl, Installation, SmallFiles, StorageService, TempFiles],
})
export class StorageModule {}
