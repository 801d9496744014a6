import { Module } from '@nestjs/common';
import { StatusController } from './status.controller.js';
import { StatusRepository } from './status.repository.js';
import { StatusService } from './status.service.js';

@Module({ controllers: [StatusController], providers: [StatusRepository, StatusService] })
export class DiagnosticsModule {}
