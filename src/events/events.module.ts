import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { AdminEventsController, PortalEventsController } from './events.controller.js';
import { DeleteOldChangesJob } from './delete-old-changes.job.js';
import { EventStreams } from './event-streams.js';
import { EventsRepository } from './events.repository.js';

@Module({
  imports: [AuthModule],
  controllers: [AdminEventsController, PortalEventsController],
  providers: [DeleteOldChangesJob, EventsRepository, EventStreams],
})
export class EventsModule {}
