import { Module } from '@nestjs/common';
import { AssetsModule } from '../../assets/assets.module.js';
import { AuditModule } from '../../audit/audit.module.js';
import { OutboundModule } from '../../outbound/outbound.module.js';
import { PreviewModule } from '../../preview/preview.module.js';
import { UsagesModule } from '../../usages/usages.module.js';
import { ResolveModule } from '../resolve/resolve.module.js';
import { TargetsModule } from '../targets/targets.module.js';
import { DeliverJob } from './deliver.job.js';
import { AdminDeliveriesController, AgentDeliveriesController } from './deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryAttempts } from './delivery-attempts.js';
import { DeliveryFiles } from './delivery-files.js';
import { DeliveryTargets } from './delivery-targets.js';
import { SettleDeliveryJob } from './settle-delivery.job.js';

@Module({
  imports: [
    AssetsModule,
    AuditModule,
    OutboundModule,
    PreviewModule,
    ResolveModule,
    TargetsModule,
    UsagesModule,
  ],
  controllers: [AdminDeliveriesController, AgentDeliveriesController],
  providers: [
    DeliverJob,
    DeliveriesRepository,
    DeliveriesService,
    DeliveryAttempts,
    DeliveryFiles,
    DeliveryTargets,
    SettleDeliveryJob,
  ],
  exports: [DeliveriesService],
})
export class DeliveriesModule {}
