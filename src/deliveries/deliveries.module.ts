import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { OutboundModule } from '../outbound/outbound.module.js';
import { PreviewModule } from '../preview/preview.module.js';
import { UsagesModule } from '../usages/usages.module.js';
import { TargetsModule } from '../targets/targets.module.js';
import { AdminDeliveriesController, AgentDeliveriesController } from './deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { DeliveryFiles } from './delivery-files.js';
import { DeliveryRecheck } from './delivery-recheck.js';
import { DeliveryTargets } from './delivery-targets.js';
import { DeliveryUpload } from './delivery-upload.js';
import { DeliveryWorker } from './delivery-worker.js';

@Module({
  imports: [AssetsModule, AuditModule, OutboundModule, PreviewModule, TargetsModule, UsagesModule],
  controllers: [AdminDeliveriesController, AgentDeliveriesController],
  providers: [
    DeliveriesRepository,
    DeliveriesService,
    DeliveryAttempts,
    DeliveryFiles,
    DeliveryRecheck,
    DeliveryTargets,
    DeliveryUpload,
    DeliveryWorker,
  ],
  exports: [DeliveriesService],
})
export class DeliveriesModule {}
