import type { Type } from '@nestjs/common';
import { RequestValidationPipe } from '../../common/http/request-validation.pipe.js';

const pipe = new RequestValidationPipe({ forbidNonWhitelisted: true, forbidUnknownValues: true });

/** Validates the arguments of a tool with the rules of the corresponding REST route. */
export async function requestOf<T extends object>(type: Type<T>, members: object): Promise<T> {
  return (await pipe.transform(members, { type: 'body', metatype: type })) as T;
}
