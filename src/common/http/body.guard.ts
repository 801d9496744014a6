import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { json, type Request, type RequestHandler, type Response, urlencoded } from 'express';
import { Problem } from '../errors/problem.js';
import { rejectHostileValue } from './hostile-value.js';

const LIMIT_BYTES = 1024 * 1024;
const SMALL_LIMIT_BYTES = 16 * 1024;
const MAX_FORM_FIELDS = 100;
const JSON_TYPES = ['application/json', 'application/*+json'];

const SMALL_BODY = Symbol('SmallBody');
const FORM_BODY = Symbol('FormBody');

/** For routes that need little, and for all public routes: bodies of at most 16 KB. */
export const SmallBody = () => SetMetadata(SMALL_BODY, true);

/** Also accepts `application/x-www-form-urlencoded` of at most 16 KB. */
export const FormBody = () => SetMetadata(FORM_BODY, true);

const readJson = json({ limit: LIMIT_BYTES, type: JSON_TYPES });
const readSmallJson = json({ limit: SMALL_LIMIT_BYTES, type: JSON_TYPES });
const readForm = urlencoded({
  extended: false,
  limit: SMALL_LIMIT_BYTES,
  parameterLimit: MAX_FORM_FIELDS,
});

/**
 * Reads the body after the access guard has admitted the caller, so that unauthorized callers cannot make the service
 * read and parse one. This is a guard because a single interceptor makes Nest pass every response through a chain of
 * observables.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { headers } = context.switchToHttp().getRequest<Request>();
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    return hasBody ? this.readBody(context) : true;
  }

  private async readBody(context: ExecutionContext): Promise<boolean> {
    const has = (mark: symbol) =>
      this.reflector.getAllAndOverride<boolean | undefined>(mark, [context.getHandler(), context.getClass()]);
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    await run(has(SMALL_BODY) ? readSmallJson : readJson, request, response);
    if (has(FORM_BODY)) await run(readForm, request, response);
    rejectHostileValue(request.body);
    return true;
  }
}

function run(parser: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void parser(request, response, (error?: unknown) => {
      if (error instanceof SyntaxError) reject(new Problem('malformed_json', undefined, { cause: error }));
      else if (error instanceof Error) reject(error);
      else resolve();
    });
  });
}
