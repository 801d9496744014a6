import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface RouteRule {
  readonly method: string;
  readonly path: string;
  readonly rule: string;
}

/** Every route of the built application with its rule. */
export async function listRouteRules(): Promise<RouteRule[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(__dirname, 'print-route-rules.mjs')]);
  return JSON.parse(stdout) as RouteRule[];
}
