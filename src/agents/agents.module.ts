import { Module } from '@nestjs/common';
import { McpModule } from './mcp/mcp.module.js';
import { PickModule } from './pick/pick.module.js';
import { ReferencesModule } from './references/references.module.js';
import { ResolveModule } from './resolve/resolve.module.js';
import { SocialModule } from './social/social.module.js';

/** What only content agents use. */
@Module({
  imports: [McpModule, PickModule, ReferencesModule, ResolveModule, SocialModule],
})
export class AgentsModule {}
