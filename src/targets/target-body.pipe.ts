import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { RequestValidationPipe } from '../common/http/request-validation.pipe.js';
import {
  type CreateTargetDto,
  CreateHttpTargetDto,
  CreateWordPressTargetDto,
  TargetKindDto,
} from './targets.dto.js';

/** Validates a new target by its `kind`. The global pipe cannot, because a union has no class at run time. */
@Injectable()
export class TargetBodyPipe implements PipeTransform<unknown, Promise<CreateTargetDto>> {
  private readonly pipe = new RequestValidationPipe({
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<CreateTargetDto> {
    const metatype = classOf(value);
    return (await this.pipe.transform(value, { ...metadata, metatype })) as CreateTargetDto;
  }
}

function classOf(value: unknown) {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null;
  if (kind === 'wordpress') return CreateWordPressTargetDto;
  return kind === 'http' ? CreateHttpTargetDto : TargetKindDto;
}
