import { Module } from '@nestjs/common';
import { FoldersRepository } from './folders.repository.js';
import { SocialFolders } from './social-folders.js';

@Module({
  providers: [FoldersRepository, SocialFolders],
  exports: [FoldersRepository, SocialFolders],
})
export class FoldersModule {}
