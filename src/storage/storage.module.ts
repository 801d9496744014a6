import { Global, Module } from '@nestjs/common';
import { StorageService } from './storage.service.js';
import { TempFiles } from './temp-files.js';

@Global()
@Module({ providers: [StorageService, TempFiles], exports: [StorageService, TempFiles] })
export class StorageModule {}
