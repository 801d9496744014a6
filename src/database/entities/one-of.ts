/** SQL for a check that a column has one of the values; a null passes. */
export function isOneOf(column: string, values: readonly string[]): string {
  return `${column} IN (${literals(values)})`;
}

/** SQL for a check that a column, an array, has no other elements. */
export function onlyOf(column: string, values: readonly string[]): string {
  return `${column} <@ ARRAY[${literals(values)}]`;
}

function literals(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}
