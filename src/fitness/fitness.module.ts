import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets/assets.module.js';
import { AdminFitnessController, PortalFitnessController } from './fitness.controller.js';
import { FitnessRepository } from './fitness.repository.js';
import { JudgeFitnessJob } from './judge-fitness.job.js';

@Module({
  imports: [AssetsModule],
  controllers: [AdminFitnessController, PortalFitnessController],
  providers: [FitnessRepository, JudgeFitnessJob],
})
export class FitnessModule {}
