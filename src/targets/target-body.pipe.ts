import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { RequestValidationPipe } from '../common/http/request-validation.pipe.js';
import type { TargetKind } from '../database/entities/target.entity.js';
import { KINDS } from './kinds/kinds.js';
import type { NewTargetDto } from './new-target.dto.js';
import { TargetKindDto } from './targets.dto.js';

/** Validates a new target by its `kind`. The global pipe cannot, because a union has no class at run time. */
@Injectable()
export class TargetBodyPipe implements PipeTransform<unknown, Promise<NewTargetDto>> {
  private readonly pipe = new RequestValidationPipe({
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<NewTargetDto> {
    const metatype = classOf(value);
    return (await this.pipe.transform(value, { ...metadata, metatype })) as NewTargetDto;
  }
}

function classOf(value: unknown) {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null;
  return typeof kind === 'string' && Object.hasOwn(KINDS, kind)
    ? KINDS[kind as TargetKind].createDto
    : TargetKindDto;
}
