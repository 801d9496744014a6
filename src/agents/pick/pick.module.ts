import { Module } from '@nestjs/common';
import { AssetsModule } from '../../assets/assets.module.js';
import { CandidatesRepository } from './candidates.repository.js';
import { PickController } from './pick.controller.js';
import { PickService } from './pick.service.js';

@Module({
  imports: [AssetsModule],
  controllers: [PickController],
  providers: [CandidatesRepository, PickService],
  exports: [PickService],
})
export class PickModule {}
