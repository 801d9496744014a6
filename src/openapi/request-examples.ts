import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * Optional members that an example shows too, because the request would be pointless or mean something else without
 * them: an empty trash request deletes everything.
 */
const ALSO_SHOWN: Readonly<Record<string, readonly string[]>> = {
  BulkDto: ['tags'],
  CreateApiKeyDto: ['clientIds'],
  CreateFolderDto: ['name'],
  CreateUserDto: ['clientIds'],
  PurgeDto: ['batchId'],
  PutReferenceDto: ['featuredAssetRef'],
  RefreshDto: ['refreshToken'],
  TokenRequestDto: ['username', 'password'],
  TrashFolderDto: ['folderId'],
  UpdateAssetDto: ['title'],
  UpdateFolderDto: ['name'],
  UpdateTargetDto: ['name'],
  UpdateUserDto: ['name'],
};

const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  agentId: 'seo-demo',
  clientId: 'demo',
  kind: 'seo_post',
  provider: 'google',
};
const ID = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

interface Schema {
  $ref?: string;
  const?: unknown;
  example?: unknown;
  examples?: unknown[];
  format?: string;
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema: Schema;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown; examples?: object }> };
}

/**
 * Swagger UI sends what it finds: every member of a body, with made-up values, and every parameter with an example. So
 * that its requests work, bodies get examples with what is required, and optional parameters keep theirs as a hint only.
 * Modifies the document.
 */
export function addRequestExamples(document: OpenAPIObject): void {
  const schemas = document.components!.schemas as Record<string, Schema>;
  const operations = Object.values(document.paths).flatMap(
    (methods) => Object.values(methods) as Operation[],
  );
  for (const { parameters = [], requestBody } of operations) {
    parameters.forEach(fitParameter);
    for (const content of Object.values(requestBody?.content ?? {})) {
      const { schema } = content;
      if (schema.$ref) content.example = exampleOf(schema.$ref, schemas);
      if (schema.oneOf) content.examples = namedExamples(schema.oneOf, schemas);
    }
  }
}

function fitParameter(parameter: Parameter): void {
  const { schema } = parameter;
  const example = parameter.example ?? schema.example;
  if (parameter.in === 'path') {
    parameter.example = example ?? PATH_EXAMPLES[parameter.name] ?? ID;
    delete schema.example;
  } else if (!parameter.required && example !== undefined) {
    delete parameter.example;
    delete schema.example;
    schema.examples = [example];
  }
}

function namedExamples(kinds: Schema[], schemas: Record<string, Schema>): object {
  const examples = kinds.map(({ $ref }) => exampleOf($ref!, schemas));
  return Object.fromEntries(examples.map((value) => [String(value['kind']), { value }]));
}

function exampleOf(ref: string, schemas: Record<string, Schema>): Record<string, unknown> {
  const name = ref.split('/').at(-1)!;
  const { properties = {}, required = [] } = schemas[name]!;
  const shown = [...required, ...(ALSO_SHOWN[name] ?? [])];
  return Object.fromEntries(
    shown.map((member) => {
      const { example, const: only, format } = properties[member]!;
      const value = example ?? only ?? (format === 'uuid' ? ID : undefined);
      if (value === undefined) throw new Error(`${name}.${member} needs an example`);
      return [member, value];
    }),
  );
}
