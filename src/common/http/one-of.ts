import { Problem } from '../errors/problem.js';

/** Some clients cannot send a body with DELETE, so an id may stand in either place; two different ones are a slip. */
export function oneOf(
  name: string,
  inBody: string | undefined,
  inQuery: string | undefined,
): string | undefined {
  if (inBody && inQuery && inBody !== inQuery)
    throw Problem.validation(name, `${name} differs between body and query`);
  return inBody ?? inQuery;
}
