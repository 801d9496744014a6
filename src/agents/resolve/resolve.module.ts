import { Module } from '@nestjs/common';
import { AssetsModule } from '../../assets/assets.module.js';
import { PreviewModule } from '../../preview/preview.module.js';
import { AgentContent } from './agent-content.js';
import { ResolveController } from './resolve.controller.js';

@Module({
  imports: [AssetsModule, PreviewModule],
  controllers: [ResolveController],
  providers: [AgentContent],
})
export class ResolveModule {}
