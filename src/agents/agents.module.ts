import { Module } from '@nestjs/common';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { PickModule } from './pick/pick.module.js';
import { ReferencesModule } from './references/references.module.js';
import { ResolveModule } from './resolve/resolve.module.js';
import { SocialModule } from './social/social.module.js';
import { TargetsModule } from './targets/targets.module.js';

/** Everything that content agents do with assets. */
@Module({
  imports: [
    DeliveriesModule,
    McpModule,
    PickModule,
    ReferencesModule,
    ResolveModule,
    SocialModule,
    TargetsModule,
  ],
})
export class AgentsModule {}
