import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const PROBLEM_TYPE = 'application/problem+json';

/** Its responses are JSON-RPC messages, which the protocol describes. */
const MCP = '/agents/mcp';

/** No page has a path that begins with one of these. */
const API_SEGMENTS = new Set(['admin', 'agents', 'auth', 'lp-api', 'portal']);

/** The problems for paths that are not operations. */
const PROBLEMS_ELSEWHERE = new Set([
  'route_not_found',
  'method_not_allowed',
  'malformed_request',
  'validation_failed',
  'host_not_allowed',
]);

/**
 * Checks responses against openapi.json: operation, status, problem code, media type and JSON schema. Throws an error
 * that describes the difference.
 */
export class ApiContract {
  #schemas;
  #responses;
  #validators = new Map();
  #ajv = null;
  /** By method and number of segments; literal segments before parameters, as the router does. */
  #operations = new Map();

  constructor({ paths, components }) {
    this.#schemas = components.schemas;
    this.#responses = components.responses ?? {};
    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method,
        path,
        pattern: patternOf(path),
      })),
    );
    all.sort((one, other) => (rankOf(one.path) < rankOf(other.path) ? -1 : 1));
    for (const operation of all) {
      const key = keyOf(operation.method, operation.path);
      this.#operations.set(key, [...(this.#operations.get(key) ?? []), operation]);
    }
  }

  /** Checks the status and headers of a response. Returns a function that checks its JSON, or null if there is none. */
  checkHead({ method, path, status, type }) {
    // Handled by the cross-origin policy.
    if (method === 'OPTIONS') return null;
    const operation = this.#operationAt(method, path);
    const isJson = method !== 'HEAD' && /^application\/(problem\+)?json\b/.test(type ?? '');
    if (operation === undefined) {
      checkElsewhere(path, status);
      return isJson && status >= 400 ? (body) => checkProblemElsewhere(body.code) : null;
    }
    const { operationId, responses } = operation;
    const response = this.#resolved(responses[status]);
    if (!response) throw new Error(`${operationId} does not declare the status ${status}`);
    if (method === 'HEAD' || (operation.path === MCP && !type?.startsWith(PROBLEM_TYPE))) return null;
    const media = mediaOf(response, type);
    if (type && !media) throw new Error(`${operationId} does not declare ${type} for the status ${status}`);
    if (!isJson) return null;
    return (body) => {
      if (media.examples && !(body.code in media.examples))
        throw new Error(`${operationId} does not declare the code ${body.code} for the status ${status}`);
      this.#checkSchema(operationId, media.schema, body);
    };
  }

  #operationAt(method, path) {
    const plain = path.replace(/(.)\/$/, '$1');
    const key = keyOf(method === 'HEAD' ? 'get' : method.toLowerCase(), plain);
    return this.#operations.get(key)?.find(({ pattern }) => pattern.test(plain));
  }

  /** Problems are described once, among the components. */
  #resolved(response) {
    return response?.$ref ? this.#responses[response.$ref.split('/').pop()] : response;
  }

  #checkSchema(operationId, { $ref }, body) {
    if ($ref === undefined) throw new Error(`${operationId} returns JSON without a named schema`);
    const validate = this.#validatorOf($ref);
    if (validate(body)) return;
    const errors = validate.errors.map(({ instancePath, message, params }) => {
      const more = params.additionalProperty ?? params.allowedValues ?? '';
      return `${instancePath || 'body'} ${message} ${more}`.trim();
    });
    throw new Error(`${operationId} returns an invalid ${$ref.split('/').pop()}: ${errors.join('; ')}`);
  }

  #validatorOf($ref) {
    const known = this.#validators.get($ref);
    if (known) return known;
    const validator = this.#compiler().getSchema(`api${$ref}`);
    this.#validators.set($ref, validator);
    return validator;
  }

  #compiler() {
    if (this.#ajv) return this.#ajv;
    this.#ajv = new Ajv({ strict: false, validateSchema: false });
    addFormats(this.#ajv);
    const schemas = Object.fromEntries(
      Object.entries(this.#schemas).map(([name, schema]) => [name, closed(schema)]),
    );
    this.#ajv.addSchema({ $id: 'api', components: { schemas } });
    return this.#ajv;
  }
}

/** A member that the document does not declare is an error too. */
function closed(schema) {
  return schema.properties ? { additionalProperties: false, ...schema } : schema;
}

function mediaOf({ content = {} }, type) {
  const plain = (type ?? '').split(';')[0].trim();
  return content[plain] ?? content['*/*'];
}

function checkElsewhere(path, status) {
  const [, first] = path.split('/');
  if (status < 400 && API_SEGMENTS.has(first.toLowerCase()))
    throw new Error('openapi.json has no such operation');
}

function checkProblemElsewhere(code) {
  if (!PROBLEMS_ELSEWHERE.has(code))
    throw new Error(`openapi.json has no such operation, but the response has the code ${code}`);
}

function keyOf(method, path) {
  return `${method} ${path.split('/').length}`;
}

/** Sorts parameters after all letters, segment by segment. */
function rankOf(path) {
  return path.replace(/[^/]*\{[^/]*/g, '~');
}

/** Case-insensitive, like the router. */
function patternOf(path) {
  return new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`, 'i');
}
