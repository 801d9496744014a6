import { Problem } from '../errors/problem.js';

/** Some clients cannot send a body with DELETE, so the id can be in the body or in the query. Two different ids are rejected. */
export function bodyOrQuery(
  name: string,
  inBody: string | undefined,
  inQuery: string | undefined,
): string | undefined {
  if (inBody && inQuery && inBody !== inQuery)
    throw Problem.validation(name, `${name} differs between body and query`);
  return inBody ?? inQuery;
}
