import { Module } from '@nestjs/common';
import { FitnessRepository } from './fitness.repository.js';
import { JudgeFitnessJob } from './judge-fitness.job.js';

@Module({ providers: [FitnessRepository, JudgeFitnessJob] })
export class FitnessModule {}
