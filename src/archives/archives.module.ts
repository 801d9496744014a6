import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { FoldersModule } from '../folders/folders.module.js';
import { ArchiveSlots } from './archive-slots.js';
import { AdminArchivesController, PortalArchivesController } from './archives.controller.js';
import { ArchivesRepository } from './archives.repository.js';
import { ArchivesService } from './archives.service.js';

@Module({
  imports: [ClientsModule, FoldersModule],
  controllers: [AdminArchivesController, PortalArchivesController],
  providers: [ArchivesRepository, ArchivesService, ArchiveSlots],
})
export class ArchivesModule {}
