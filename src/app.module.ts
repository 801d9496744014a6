import { type DynamicModule, Module } from '@nestjs/common';
import { AgentsModule } from './agents/agents.module.js';
import { McpModule } from './agents/mcp/mcp.module.js';
import { ArchivesModule } from './archives/archives.module.js';
import { AssetsModule } from './assets/assets.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ClientsModule } from './clients/clients.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/config.js';
import { DatabaseModule } from './database/database.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { DiagnosticsModule } from './diagnostics/diagnostics.module.js';
import { EventsModule } from './events/events.module.js';
import { FoldersModule } from './folders/folders.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { FitnessModule } from './fitness/fitness.module.js';
import { PagesModule } from './pages/pages.module.js';
import { PreviewModule } from './preview/preview.module.js';
import { StorageModule } from './storage/storage.module.js';
import { SweeperModule } from './sweeper/sweeper.module.js';
import { TargetsModule } from './targets/targets.module.js';
import { TrashModule } from './trash/trash.module.js';
import { UploadsModule } from './uploads/uploads.module.js';
import { UsersModule } from './users/users.module.js';

@Module({})
export class AppModule {
  static for(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.for(config),
        DatabaseModule,
        StorageModule,
        JobsModule,
        AuthModule,
        AuditModule,
        ClientsModule,
        UsersModule,
        FoldersModule,
        AssetsModule,
        TrashModule,
        ArchivesModule,
        FitnessModule,
        PreviewModule,
        UploadsModule,
        SweeperModule,
        TargetsModule,
        DeliveriesModule,
        DiagnosticsModule,
        EventsModule,
        McpModule,
        AgentsModule,
        PagesModule,
      ],
    };
  }
}
