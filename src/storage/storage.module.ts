import { Global, Module } from '@nestjs/common';
import { Installation } from './installation.js';
import { InstallationRepository } from './installation.repository.js';
import { SmallFiles } from './small-files.js';
import { StorageService } from './storage.service.js';
import { TempFiles } from './temp-files.js';

@Global()
@Module({
  providers: [Installation, InstallationRepository, SmallFiles, StorageService, TempFiles],
  exports: [Installation, SmallFiles, StorageService, TempFiles],
})
export class StorageModule {}
