import { applyDecorators, Header, type Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

/** For a handler that returns JSON text; `type` describes its content. */
export const SendsJsonText = (type: Type): MethodDecorator =>
  applyDecorators(Header('Content-Type', 'application/json; charset=utf-8'), ApiOkResponse({ type }));
