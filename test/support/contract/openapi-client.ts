import type { Api } from '../api/api.js';

type Json = any;

export interface OperationInput {
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: Record<string, unknown>;
}

/** Calls operations using only the OpenAPI document, and checks every request and response against it. */
export class OpenApiClient {
  private constructor(
    private readonly api: Api,
    private readonly document: Json,
  ) {}

  static async read(api: Api): Promise<OpenApiClient> {
    return new OpenApiClient(api, (await api.get('/openapi.json')).body);
  }

  /** The body of the response, or its bytes if the document declares them as binary. */
  async call(operationId: string, input: OperationInput = {}): Promise<Json> {
    const { method, path, operation } = this.find(operationId);
    this.checkParameters(operation, 'path', input.path ?? {});
    this.checkParameters(operation, 'query', input.query ?? {});
    const bodySchema = operation.requestBody?.content?.['application/json']?.schema;
    if (bodySchema) this.check(bodySchema, input.body, 'body');
    else expect(input.body).toBeUndefined();

    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.path![name]!));
    const query = new URLSearchParams(input.query).toString();
    const response = await this.api.fetch(method.toUpperCase(), query ? `${filled}?${query}` : filled, {
      body: input.body,
    });
    const described = operation.responses[response.status];
    const isBinary = described?.content?.['*/*']?.schema?.format === 'binary';
    const content: Json = isBinary ? Buffer.from(await response.arrayBuffer()) : await response.json();
    if (!response.ok) throw new Error(`${operationId}: ${response.status} ${JSON.stringify(content)}`);
    expect(described).toBeDefined();
    const schema = described.content?.['application/json']?.schema;
    if (schema) this.check(schema, content, operationId);
    return content;
  }

  private find(operationId: string): { method: string; path: string; operation: Json } {
    for (const [path, methods] of Object.entries<Json>(this.document.paths))
      for (const [method, operation] of Object.entries<Json>(methods))
        if (operation.operationId === operationId) return { method, path, operation };
    throw new Error(`There is no operation ${operationId}.`);
  }

  private checkParameters(operation: Json, place: string, given: Record<string, string>): void {
    const described = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === place);
    const names = described.map(({ name }: Json) => name);
    const required = described.filter((parameter: Json) => parameter.required).map(({ name }: Json) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(given)));
    expect(Object.keys(given)).toEqual(expect.arrayContaining(required));
  }

  /** Checks what a generated client relies on: members, required members, and types of values. */
  private check(schema: Json, value: Json, where: string): void {
    if (schema.$ref) return this.check(this.resolve(schema.$ref), value, where);
    for (const each of schema.allOf ?? []) this.check(each, value, where);
    if (value === null || value === undefined || schema.oneOf || schema.anyOf) return;
    if (schema.properties) {
      const missing = (schema.required ?? []).filter((name: string) => !(name in value));
      const unknown = Object.keys(value).filter((name) => !(name in schema.properties));
      expect({ where, missing, unknown }).toEqual({ where, missing: [], unknown: [] });
      for (const [name, member] of Object.entries(value))
        this.check(schema.properties[name], member, `${where}.${name}`);
    }
    if (schema.type === 'array') for (const item of value) this.check(schema.items, item, `${where}[]`);
    const kinds: Record<string, string> = {
      string: 'string',
      number: 'number',
      integer: 'number',
      boolean: 'boolean',
    };
    const kind = kinds[schema.type];
    if (kind) expect({ where, kind: typeof value }).toEqual({ where, kind });
  }

  private resolve(ref: string): Json {
    return this.document.components.schemas[ref.split('/').at(-1)!];
  }
}
