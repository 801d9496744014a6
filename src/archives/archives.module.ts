import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { ArchivePlanner } from './archive-planner.js';
import { AdminArchivesController, PortalArchivesController } from './archives.controller.js';
import { ArchivesRepository } from './archives.repository.js';
import { ArchivesService } from './archives.service.js';

@Module({
  imports: [ClientsModule],
  controllers: [AdminArchivesController, PortalArchivesController],
  providers: [ArchivesRepository, ArchivesService, ArchivePlanner],
})
export class ArchivesModule {}
