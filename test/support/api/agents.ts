import { toAssetRef } from '../../../src/common/asset-ref.js';
import type { ApiResponse, Api } from './api.js';
import type { LibraryService } from './library.js';
import { newKey } from './people.js';
import { type SeedAsset, seedAssets } from '../database/seed-assets.js';

export const SURFACES = ['website', 'social', 'gbp'] as const;
export type Surface = (typeof SURFACES)[number];

/** The kind of reference that belongs to a surface. */
export const KIND_OF = { website: 'seo_post', social: 'social_post', gbp: 'gbp_update' } as const;

export interface ToolResult {
  /** For an error. */
  readonly code?: string;
  readonly json?: any;
  readonly pictures: number;
}

/** An agent of one client. */
export class Agent {
  constructor(
    readonly api: Api,
    readonly path: string,
  ) {}

  resolve(assetRefs: unknown, surface: string = 'website'): Promise<ApiResponse> {
    return this.api.post(`${this.path}/assets/resolve`, { assetRefs, surface });
  }

  content(assetRef: string, query: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.api.fetch('GET', `${this.path}/assets/${assetRef}/content?${query}`, { headers });
  }

  reference(method: 'PUT' | 'GET' | 'DELETE', key: string, body?: unknown): Promise<ApiResponse> {
    return this.api.request(method, `${this.path}/references/${key}`, { body });
  }

  posted(body: unknown): Promise<ApiResponse> {
    return this.api.post(`${this.path}/social/posted`, body);
  }

  /** Calls a tool. */
  async tool(name: string, input: Record<string, unknown>): Promise<ToolResult> {
    const { content, isError = false } = await this.mcp('tools/call', { name, arguments: input });
    return isError
      ? { code: content[0].text.split(':')[0], pictures: 0 }
      : { json: JSON.parse(content[0].text), pictures: content.length - 1 };
  }

  /** The result of a message, sent as a client of the previous protocol does, without connecting first. */
  async mcp(method: string, params: object = {}): Promise<any> {
    const message = { jsonrpc: '2.0', id: 1, method, params };
    const accept = 'application/json, text/event-stream';
    const { status, body } = await this.api.post('/agents/mcp', message, { accept });
    const data = /^data: (.*)$/m.exec(String(body))?.[1];
    if (data === undefined) throw new Error(`${method} returned ${status}: ${JSON.stringify(body)}`);
    return JSON.parse(data).result;
  }

  deliver(body: unknown): Promise<ApiResponse> {
    return this.api.post(`${this.path}/deliveries`, body);
  }

  folders(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', body?: unknown): Promise<ApiResponse> {
    return this.api.request(method, `${this.path}/social/folders`, { body });
  }
}

/** An agent with its own key, optionally limited to surfaces. */
export async function newAgent(
  { service, owner, clientId }: Pick<LibraryService, 'service' | 'owner' | 'clientId'>,
  surfaces?: readonly Surface[],
): Promise<Agent> {
  const { key } = await newKey(owner, { role: 'agent', clientIds: [clientId], surfaces });
  return new Agent(service.api.as(key), `/agents/clients/${clientId}`);
}

export const refsOf = (assetIds: readonly string[]): string[] => assetIds.map(toAssetRef);

/** The refs of this many new assets of the client. */
export async function seedRefs(
  { service, clientId }: Pick<LibraryService, 'service' | 'clientId'>,
  count: number,
  asset: SeedAsset = {},
): Promise<string[]> {
  return refsOf(await seedAssets(service.databaseUrl, clientId, Array<SeedAsset>(count).fill(asset)));
}
