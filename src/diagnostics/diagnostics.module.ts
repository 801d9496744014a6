import { Module } from '@nestjs/common';
import { TargetsModule } from '../targets/targets.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { Draining } from '../common/http/draining.js';
import {
  AdsConnectionsController,
  ClientAdsConnectionsController,
} from './ads-connections/ads-connections.controller.js';
import { AdsConnectionsRepository } from './ads-connections/ads-connections.repository.js';
import { AdsConnectionsService } from './ads-connections/ads-connections.service.js';
import { DoctorController } from './doctor/doctor.controller.js';
import { DoctorModule } from './doctor/doctor.module.js';
import { IntegrationsController } from './integrations/integrations.controller.js';
import { IntegrationsRepository } from './integrations/integrations.repository.js';
import { IntegrationsService } from './integrations/integrations.service.js';
import { AttributionController, LandingPagesController } from './landing-pages/landing-pages.controller.js';
import { LandingPagesRepository } from './landing-pages/landing-pages.repository.js';
import { LandingPagesService } from './landing-pages/landing-pages.service.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { MetricsListener } from './metrics/metrics-listener.js';
import { MetricsService } from './metrics/metrics.service.js';
import { PublicLimiter } from './public-limiter.js';
import {
  ClientSeoAgentsController,
  SeoAgentReportsController,
  SeoAgentsController,
} from './seo-agents/seo-agents.controller.js';
import { SeoAgentsRepository } from './seo-agents/seo-agents.repository.js';
import { SeoAgentsService } from './seo-agents/seo-agents.service.js';
import { StatusController } from './status.controller.js';
import { StatusRepository } from './status.repository.js';
import { StatusService } from './status.service.js';

@Module({
  imports: [AuditModule, AuthModule, ClientsModule, DoctorModule, TargetsModule],
  controllers: [
    AdsConnectionsController,
    AttributionController,
    ClientAdsConnectionsController,
    ClientSeoAgentsController,
    DoctorController,
    IntegrationsController,
    LandingPagesController,
    MetricsController,
    SeoAgentReportsController,
    SeoAgentsController,
    StatusController,
  ],
  providers: [
    AdsConnectionsRepository,
    AdsConnectionsService,
    Draining,
    IntegrationsRepository,
    IntegrationsService,
    LandingPagesRepository,
    LandingPagesService,
    MetricsListener,
    MetricsService,
    PublicLimiter,
    SeoAgentsRepository,
    SeoAgentsService,
    StatusRepository,
    StatusService,
  ],
})
export class DiagnosticsModule {}
