import { serviceHost } from '../services/service-host.js';

export interface RouteRule {
  readonly method: string;
  readonly path: string;
  readonly rule: string;
  readonly inPicker: boolean;
}

/** Every route of the built application with its rule. */
export async function listRouteRules(): Promise<RouteRule[]> {
  return (await serviceHost.run('contract/list-route-rules.mjs')) as RouteRule[];
}
