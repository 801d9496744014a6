import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Requires } from '../../access/access.decorators.js';
import { Problem } from '../../common/errors/problem.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { ExamineStorageDto } from './doctor.dto.js';
import { DiagnosisDto } from '../../common/diagnosis.dto.js';
import { StorageDoctor } from './storage-doctor.js';

@ApiTags('Diagnostics')
@Controller('admin/diagnostics/storage')
export class DoctorController {
  constructor(private readonly doctor: StorageDoctor) {}

  @Post()
  @HttpCode(200)
  @Requires('diagnostics:manage')
  @Operation(
    'Check the object store: every permission the service needs, with a probe object, and its CORS policy',
  )
  async checkStorage(@Body() { origin }: ExamineStorageDto): Promise<DiagnosisDto> {
    if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
      throw Problem.validation('origin', 'must be an origin such as https://portal.example.com');
    }
    return this.doctor.examine(origin);
  }
}
