import type { OpenAPIObject } from '@nestjs/swagger';

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Puts each route of the portal below its twin on the admin side, and methods in the usual order. */
export function orderPaths(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const names = Object.keys(paths);
  const place = (path: string) => {
    const twin = path.replace(/^\/portal\//, '/admin/clients/{clientId}/');
    return names.indexOf(twin) + (twin === path ? 0 : 0.5);
  };
  return Object.fromEntries(
    names
      .toSorted((one, other) => place(one) - place(other))
      .map((name) => [name, inUsualOrder(paths[name]!)]),
  );
}

function inUsualOrder<T extends object>(operations: T): T {
  const position = (method: string) => METHODS.indexOf(method as (typeof METHODS)[number]);
  return Object.fromEntries(
    Object.entries(operations).toSorted(([one], [other]) => position(one) - position(other)),
  ) as T;
}
