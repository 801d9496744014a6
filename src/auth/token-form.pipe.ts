import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RequestValidationPipe } from '../common/http/request-validation.pipe.js';

/** The form itself. The global pipe does not process it, unlike `@Body()`, because it would reject unknown fields. */
export const TokenForm = createParamDecorator((_data: unknown, context: ExecutionContext): unknown => {
  return context.switchToHttp().getRequest<Request>().body ?? {};
});

/** Keeps the known fields. RFC 6749 requires ignoring others, while our JSON routes reject them. */
@Injectable()
export class TokenFormPipe extends RequestValidationPipe {
  constructor() {
    super({ validateCustomDecorators: true });
  }
}
