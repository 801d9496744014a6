import { type ColumnOptions, getMetadataArgsStorage } from 'typeorm';
import { SnakeCaseNamingStrategy } from './naming.strategy.js';

type EntityClass = abstract new () => unknown;

const COMPUTED = new Set(['virtual', 'virtual-property']);
const naming = new SnakeCaseNamingStrategy();

/**
 * The columns of an entity that are selected by default, for SQL: each row is then the entity. With `alias`, those of that table or
 * subquery. Like the transformers of the entities, it returns a bigint as a number.
 */
export function columnsOf(entity: EntityClass, alias?: string): string {
  const prefix = alias === undefined ? '' : `${alias}.`;
  return declaredColumns(entity)
    .filter(({ options }) => options.select !== false)
    .map(({ property, options }) => `${prefix}${columnOf(property)}${castOf(options)} AS "${property}"`)
    .join(', ');
}

/** The name of a column, and its type for SQL. */
export function columnOf(property: string): string {
  return naming.columnName(property, undefined, []);
}

export function typeOf(entity: EntityClass, property: string): string {
  const { options } = declaredColumns(entity).find((column) => column.property === property)!;
  return `${String(options.type)}${options.array ? '[]' : ''}`;
}

function declaredColumns(entity: EntityClass): { property: string; options: ColumnOptions }[] {
  return getMetadataArgsStorage()
    .columns.filter(({ target, mode }) => target === entity && !COMPUTED.has(mode))
    .map(({ propertyName, options }) => ({ property: propertyName, options }));
}

function castOf({ type, array }: ColumnOptions): string {
  if (type !== 'bigint') return '';
  return array ? '::float8[]' : '::float8';
}
