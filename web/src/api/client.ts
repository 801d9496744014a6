import createClient, { type Client } from 'openapi-fetch';
import { authorizedFetch } from './authorized-fetch';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

/** The routes that both sides share, without the prefix of the side. */
export type SidePaths = {
  [Path in keyof paths as Path extends `/portal${infer Rest}` ? Rest : never]: paths[Path];
};
type AdminSidePath = {
  [Path in keyof paths]: Path extends `/admin/clients/{clientId}${infer Rest}` ? Rest : never;
}[keyof paths];

/** Does not compile if a portal route is missing on the admin side. */
type MissingOnAdminSide = Exclude<keyof SidePaths, AdminSidePath>;
const nothingIsMissing: [MissingOnAdminSide] extends [never] ? true : MissingOnAdminSide = true;
void nothingIsMissing;

export type SideApi = Client<SidePaths>;

const clients = new Map<string, SideApi>();

/** The client's routes under `/portal` or `/admin/clients/<id>`. Failed requests throw `ApiProblem`. */
export function apiFor(basePath: string): SideApi {
  let client = clients.get(basePath);
  if (!client) {
    client = createClient<SidePaths>({ baseUrl: basePath, fetch: authorizedFetch });
    clients.set(basePath, client);
  }
  return client;
}

/** Every other route, by its full path. */
export const adminApi = createClient<paths>({ fetch: authorizedFetch });

/** The body of a successful response: `await body(api.GET('/assets'))`. */
export async function body<Data>(request: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await request;
  return data as Data;
}
