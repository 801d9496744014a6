import type { OpenAPIObject } from '@nestjs/swagger';

/** Adds what the generated document cannot know: the names of enumerations, and which numbers are not integers. */
export interface ApiVocabulary {
  /** Separate schemas, so that a generated client has one type for each enumeration. */
  readonly enums: Readonly<Record<string, readonly string[]>>;
  /** Schemas with fractional numbers. All others are integers. */
  readonly withFractions: readonly string[];
  /** Schemas that return an id as the caller wrote it. */
  readonly withIdsAsGiven: readonly string[];
}

type Schema = Record<string, unknown>;
type Parameter = { name: string; in: string; schema?: Schema };

const CLIENT_ID = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' };
const UUID_NAMES = /^(asset|batch|delivery|folder|key|parent|session|target|usage|user)Id$|^duplicateOf$/;

/** Makes the document precise enough for generated clients. Modifies the document. */
export function refineDocument(document: OpenAPIObject, vocabulary: ApiVocabulary): void {
  const names = new Map(
    Object.entries(vocabulary.enums).map(([name, values]) => [keyOf(values), name] as const),
  );
  const schemas = document.components!.schemas as Record<string, Schema>;
  for (const [name, schema] of Object.entries(schemas)) {
    if (!vocabulary.withFractions.includes(name)) visit(schema, useIntegers);
    if (!vocabulary.withIdsAsGiven.includes(name)) describeIds(schema);
  }
  visit(document.paths, (value) => {
    if (isParameter(value)) describeParameter(value);
    useIntegers(value);
  });
  for (const root of [document.paths, schemas]) visit(root, (value) => nameEnum(value, names));
  for (const [name, values] of Object.entries(vocabulary.enums))
    schemas[name] = { type: 'string', enum: [...values] };
}

function keyOf(values: readonly unknown[]): string {
  return [...values].sort().join(' ');
}

function nameEnum(schema: Schema, names: ReadonlyMap<string, string>): void {
  if (!Array.isArray(schema['enum'])) return;
  const values = (schema['enum'] as unknown[]).filter((value) => value !== null);
  const isNullable = values.length < schema['enum'].length;
  if (values.length === 1 && !isNullable) {
    delete schema['enum'];
    schema['const'] = values[0];
    return;
  }
  const name = names.get(keyOf(values));
  if (name === undefined) return;
  delete schema['enum'];
  delete schema['type'];
  const $ref = `#/components/schemas/${name}`;
  if (isNullable) schema['anyOf'] = [{ $ref }, { type: 'null' }];
  else schema['$ref'] = $ref;
}

function useIntegers(schema: Schema): void {
  const { type } = schema;
  if (type === 'number') schema['type'] = 'integer';
  else if (Array.isArray(type))
    schema['type'] = type.map((each: unknown) => (each === 'number' ? 'integer' : each));
}

function describeIds(schema: Schema): void {
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
    if (UUID_NAMES.test(name)) property['format'] = 'uuid';
}

function isParameter(value: Schema): value is Parameter {
  return typeof value['name'] === 'string' && (value['in'] === 'path' || value['in'] === 'query');
}

function describeParameter(parameter: Parameter): void {
  const { name, in: place } = parameter;
  const schema = (parameter.schema ??= {});
  if (name === 'clientId') Object.assign(schema, CLIENT_ID);
  if (!('type' in schema)) schema['type'] = 'string';
  // In a path, an asset is identified by its id or its assetRef.
  if (UUID_NAMES.test(name) && !(place === 'path' && name === 'assetId')) schema['format'] = 'uuid';
}

/** Calls back for every object in a part of the document. */
function visit(value: unknown, callback: (object: Schema) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) callback(value as Schema);
  // Examples are values, not schemas.
  for (const [key, child] of Object.entries(value))
    if (key !== 'example' && key !== 'examples') visit(child, callback);
}
