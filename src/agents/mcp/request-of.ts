import type { Type } from '@nestjs/common';
import { RequestValidationPipe } from '../../common/http/request-validation.pipe.js';

const pipe = new RequestValidationPipe({ forbidNonWhitelisted: true, forbidUnknownValues: true });

/** Checks the arguments of a tool by the rules of the REST route for the same thing. */
export async function requestOf<T extends object>(type: Type<T>, members: object): Promise<T> {
  return (await pipe.transform(members, { type: 'body', metatype: type })) as T;
}
