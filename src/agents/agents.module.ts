import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { FoldersModule } from '../folders/folders.module.js';
import { PreviewModule } from '../preview/preview.module.js';
import { TrashBatchesModule } from '../trash-batches/trash-batches.module.js';
import { UsagesModule } from '../usages/usages.module.js';
import { CandidatesRepository } from './pick/candidates.repository.js';
import { PickController } from './pick/pick.controller.js';
import { PickService } from './pick/pick.service.js';
import { ReferencesController } from './references/references.controller.js';
import { ReferencesService } from './references/references.service.js';
import { AgentContent } from './resolve/agent-content.js';
import { ResolveController } from './resolve/resolve.controller.js';
import { SocialController } from './social/social.controller.js';
import { SocialFoldersService } from './social/social-folders.service.js';
import { SocialService } from './social/social.service.js';

/** What only content agents use. `McpModule` offers it as tools. */
@Module({
  imports: [AssetsModule, AuditModule, FoldersModule, PreviewModule, TrashBatchesModule, UsagesModule],
  controllers: [PickController, ReferencesController, ResolveController, SocialController],
  providers: [
    AgentContent,
    CandidatesRepository,
    PickService,
    ReferencesService,
    SocialFoldersService,
    SocialService,
  ],
  exports: [PickService, ReferencesService, SocialService],
})
export class AgentsModule {}
