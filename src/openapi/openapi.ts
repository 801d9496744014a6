import { readFileSync } from 'node:fs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import {
  codesIn,
  groupByStatus,
  problemExamples,
  problemResponse,
} from '../common/openapi/problem-responses.js';
import type { Config } from '../config/config.js';
import { API_VOCABULARY } from './api-vocabulary.js';
import { commonProblems } from './common-problems.js';
import { METHODS, orderPaths } from './order-paths.js';
import { ProblemDocument } from './problem-document.dto.js';
import { refineDocument } from './refine-document.js';
import { addRequestExamples } from './request-examples.js';
import { setupSwaggerUi } from './swagger-ui.js';
import { TAGS } from './tags.js';

/** Markdown, as Swagger UI shows it. */
const INTRODUCTION = readFileSync(new URL('./introduction.md', import.meta.url), 'utf8').trim();
const EXAMPLE_URL = 'http://127.0.0.1:3000';

const COOKIE =
  'Set by `POST /auth/login`, for our own pages; on https its name is `__Host-session`. A request that changes something must also prove by `Origin` or `Sec-Fetch-Site` that it comes from them.';

/** OpenAPI 3.1 at `/openapi.json`, Swagger UI at `/docs`. */
export function setupOpenApi(app: NestExpressApplication, config: Config): void {
  setupSwaggerUi(app, () => describeApi(app, config));
}

export function describeApi(app: NestExpressApplication, { version, http }: Config): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Client Asset Library')
    .setDescription(INTRODUCTION.replaceAll(EXAMPLE_URL, http.publicUrl))
    .setVersion(version)
    .addServer('/')
    .addOAuth2({ type: 'oauth2', flows: { password: { tokenUrl: '/auth/token', scopes: {} } } }, 'password')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An access token or an API key' }, 'bearer')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key' }, 'apiKey')
    .addCookieAuth('session', { type: 'apiKey', in: 'cookie', description: COOKIE }, 'cookie');
  for (const [name, description] of Object.entries(TAGS)) base.addTag(name, description);
  const document = SwaggerModule.createDocument(app, base.build(), {
    extraModels: [ProblemDocument],
    operationIdFactory: operationIdOf,
  });
  const problems: Record<string, object> = {};
  for (const [method, path, operation] of operationsOf(document)) {
    addPathParameters(path, operation);
    Object.assign(problems, addCommonProblems(method, path, operation));
    describePermission(operation);
  }
  document.paths = orderPaths(document.paths);
  document.components!.responses = problems as NonNullable<OpenAPIObject['components']>['responses'];
  document.components!.examples = problemExamples();
  refineDocument(document, API_VOCABULARY);
  addRequestExamples(document);
  return document;
}

/** The name of the handler. Portal and agents repeat handlers of the admin side: `listAssets`, `listPortalAssets`. */
function operationIdOf(controller: string, handler: string): string {
  const side = /^(Portal|Agent)(?=[A-Z])/.exec(controller)?.[0] ?? '';
  return handler.replace(/(?=[A-Z])/, side);
}

type Operation = {
  parameters?: { name: string; in: string; required?: boolean; schema?: object; example?: string }[];
  requestBody?: object;
  responses: Record<string, object>;
  'x-permission'?: string;
  description?: string;
};

function operationsOf(document: OpenAPIObject): [method: string, path: string, operation: Operation][] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method): [string, string, Operation][] =>
      operations[method] ? [[method, path, operations[method] as unknown as Operation]] : [],
    ),
  );
}

/** The client is in the path, but handlers receive it as their scope, where Swagger does not see it. */
function addPathParameters(path: string, operation: Operation): void {
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    if (operation.parameters?.some((parameter) => parameter.in === 'path' && parameter.name === name))
      continue;
    (operation.parameters ??= []).unshift({
      name: name!,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    });
  }
}

/** Merges the problems of guards and pipes with those that the route declares. Returns the referenced responses by name. */
function addCommonProblems(method: string, path: string, operation: Operation): Record<string, object> {
  const { responses } = operation;
  const permission = operation['x-permission'] ?? 'public';
  const declared = Object.values(responses).flatMap(codesIn);
  const common = commonProblems({ method, path, permission, hasBody: 'requestBody' in operation });
  const problems: Record<string, object> = {};
  for (const [status, codes] of groupByStatus([...declared, ...common])) {
    const name = codes.join('.');
    problems[name] = problemResponse(codes);
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return problems;
}

/** The permission is an extension, which readers of Swagger UI do not see. */
function describePermission(operation: Operation): void {
  const permission = operation['x-permission'];
  if (permission === undefined || permission === 'public') return;
  const needs =
    permission === 'authenticated' ? 'Available to every signed-in caller.' : `Requires \`${permission}\`.`;
  operation.description = [operation.description, needs].filter(Boolean).join('\n\n');
}
