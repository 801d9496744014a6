import {
  type ArgumentMetadata,
  Injectable,
  type Type,
  type ValidationError,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import type { ValidatorOptions } from 'class-validator';
import { validationProblem } from '../errors/validation-problem.js';
import { tooLongLists } from './limit.decorators.js';

/**
 * Validates the input of a request. class-validator checks every element of a list even if the list is too long, so the lengths are checked
 * first: once as sent, once as transformed (`?tags=a,b`).
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor(options: ValidationPipeOptions = {}) {
    super({ transform: true, whitelist: true, exceptionFactory: validationProblem, ...options });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Values of our own decorators, such as the caller, do not come from the request.
    if (metadata.type === 'custom' && !this.validateCustomDecorators) return Promise.resolve(value);
    const errors = metadata.metatype ? tooLongLists(value, metadata.metatype) : [];
    if (errors.length > 0) return Promise.reject(validationProblem(errors));
    return super.transform(value, metadata);
  }

  protected override validate(
    object: object,
    options?: ValidatorOptions,
  ): Promise<ValidationError[]> | ValidationError[] {
    const errors = tooLongLists(object, object.constructor as Type);
    return errors.length > 0 ? errors : super.validate(object, options);
  }
}
