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

const MAX_REMEMBERED = 1_000;
const MAX_REMEMBERED_LENGTH = 200;

/**
 * Validates the input of a request. class-validator checks every element of a list even if the list is too long, so the lengths are checked
 * first: once as sent, once as transformed (`?tags=a,b`).
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  /** Valid queries with their transformed values. */
  private readonly passed = new Map<Type, Map<string, object>>();

  constructor(options: ValidationPipeOptions = {}) {
    super({ transform: true, whitelist: true, exceptionFactory: validationProblem, ...options });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Values of our own decorators, such as the caller, do not come from the request.
    if (metadata.type === 'custom' && !this.validateCustomDecorators) return Promise.resolve(value);
    const errors = metadata.metatype ? tooLongLists(value, metadata.metatype) : [];
    if (errors.length > 0) return Promise.reject(validationProblem(errors));
    if (metadata.type === 'query' && metadata.metatype && metadata.data === undefined)
      return this.transformQuery(value, metadata, metadata.metatype);
    return super.transform(value, metadata);
  }

  /** Every picture on a page sends the same query, and validating it costs more than finding the picture. */
  private async transformQuery(value: unknown, metadata: ArgumentMetadata, type: Type): Promise<unknown> {
    const key = JSON.stringify(value);
    const known = this.passed.get(type)?.get(key);
    if (known !== undefined) return copyOf(known, type);
    const query: unknown = await super.transform(value, metadata);
    if (key.length <= MAX_REMEMBERED_LENGTH && isFlat(query)) this.remember(type, key, copyOf(query, type));
    return query;
  }

  private remember(type: Type, key: string, query: object): void {
    let queries = this.passed.get(type);
    if (queries === undefined || queries.size >= MAX_REMEMBERED) {
      queries = new Map<string, object>();
      this.passed.set(type, queries);
    }
    queries.set(key, query);
  }

  protected override validate(
    object: object,
    options?: ValidatorOptions,
  ): Promise<ValidationError[]> | ValidationError[] {
    const errors = tooLongLists(object, object.constructor as Type);
    return errors.length > 0 ? errors : super.validate(object, options);
  }
}

/** Contains nothing that a handler could change for other requests. */
function isFlat(query: unknown): query is object {
  return (
    typeof query === 'object' &&
    query !== null &&
    Object.values(query).every((value) => typeof value !== 'object' || value === null)
  );
}

function copyOf(query: object, type: Type): object {
  return Object.assign(Object.create(type.prototype as object) as object, query);
}
