import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { AdminEventsController, PortalEventsController } from './events.controller.js';
import { EventStreams } from './event-streams.js';

@Module({
  imports: [AuthModule],
  controllers: [AdminEventsController, PortalEventsController],
  providers: [EventStreams],
})
export class EventsModule {}
