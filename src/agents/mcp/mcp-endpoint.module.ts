import { Module } from '@nestjs/common';
import { AssetsModule } from '../../assets/assets.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { ClientsModule } from '../../clients/clients.module.js';
import { PreviewModule } from '../../preview/preview.module.js';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { TargetsModule } from '../../targets/targets.module.js';
import { AgentsModule } from '../agents.module.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { AssetTools } from './tools/asset.tools.js';
import { DeliveryTools } from './tools/delivery.tools.js';
import { LibraryTools } from './tools/library.tools.js';
import { PublishingTools } from './tools/publishing.tools.js';

/** Loaded by `McpService` on demand. */
@Module({
  imports: [
    AgentsModule,
    AssetsModule,
    AuthModule,
    ClientsModule,
    DeliveriesModule,
    PreviewModule,
    TargetsModule,
  ],
  providers: [AssetTools, DeliveryTools, LibraryTools, McpEndpoint, PublishingTools],
})
export class McpEndpointModule {}

export { McpEndpoint };
