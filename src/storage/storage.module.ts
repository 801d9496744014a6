import { Global, Module } from '@nestjs/common';
import { BucketControl } from './bucket-control.js';
import { Installation } from './installation.js';
import { InstallationRepository } from './installation.repository.js';
import { StorageService } from './storage.service.js';
import { TempFiles } from './temp-files.js';

@Global()
@Module({
  providers: [BucketControl, Installation, InstallationRepository, StorageService, TempFiles],
  exports: [BucketControl, Installation, StorageService, TempFiles],
})
export class StorageModule {}
