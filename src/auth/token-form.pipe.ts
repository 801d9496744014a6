import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RequestValidationPipe } from '../common/http/request-validation.pipe.js';

/** The form itself. Unlike `@Body()`, the global pipe leaves it alone, which would refuse unknown fields. */
export const TokenForm = createParamDecorator((_data: unknown, context: ExecutionContext): unknown => {
  return context.switchToHttp().getRequest<Request>().body ?? {};
});

/** Keeps the fields we know: RFC 6749 asks to ignore the others, where our own JSON routes refuse them. */
@Injectable()
export class TokenFormPipe extends RequestValidationPipe {
  constructor() {
    super({ validateCustomDecorators: true });
  }
}
