import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { AdminArchiveLinksController, PortalArchiveLinksController } from './archive-links.controller.js';
import { ArchiveLinksRepository } from './archive-links.repository.js';
import { ArchiveLinksService } from './archive-links.service.js';
import { ArchivePlanner } from './archive-planner.js';
import { ArchiveSender } from './archive-sender.js';
import { AdminArchivesController, PortalArchivesController } from './archives.controller.js';
import { ArchivesRepository } from './archives.repository.js';
import { ArchivesService } from './archives.service.js';
import { DeleteOldArchiveLinksJob } from './delete-old-archive-links.job.js';

@Module({
  imports: [ClientsModule],
  controllers: [
    AdminArchivesController,
    AdminArchiveLinksController,
    PortalArchivesController,
    PortalArchiveLinksController,
  ],
  providers: [
    ArchivesRepository,
    ArchivesService,
    ArchivePlanner,
    ArchiveSender,
    ArchiveLinksRepository,
    ArchiveLinksService,
    DeleteOldArchiveLinksJob,
  ],
})
export class ArchivesModule {}
