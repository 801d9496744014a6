import { Module } from '@nestjs/common';
import { StorageDoctor } from './storage-doctor.js';

/** Without the controller, so that the command line can load it alone. */
@Module({ providers: [StorageDoctor], exports: [StorageDoctor] })
export class DoctorModule {}
