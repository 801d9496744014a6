import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiResponse, Api } from './api.js';
import type { Overrides } from '../services/environment.js';
import { newClient, newKey } from './people.js';
import { OWNER, type RunningService, type Service, startService } from '../services/service.js';
import { sharedService } from '../services/shared-service.js';

export type Json = any;

/** One side of a client's library: the same controls under the path of the admin panel or of the portal. */
export class Library {
  constructor(
    readonly api: Api,
    readonly path: string,
  ) {}

  get(path = '', headers?: Record<string, string>): Promise<ApiResponse> {
    return this.api.get(this.path + path, headers);
  }
  post(path: string, body?: unknown): Promise<ApiResponse> {
    return this.api.post(this.path + path, body);
  }
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return this.api.patch(this.path + path, body, headers);
  }
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return this.api.delete(this.path + path, body, headers);
  }

  /** Creates a folder and returns its id. */
  async folder(name: string, parentId: string | null = null): Promise<string> {
    const { status, body } = await this.post('/folders', { name, parentId });
    if (status !== 201)
      throw new Error(`Creating the folder ${name} returned ${status}: ${JSON.stringify(body)}`);
    return body.folderId as string;
  }

  /** The folders of the tree by path. */
  async tree(): Promise<Map<string, Json>> {
    const { body } = await this.get('/folders');
    return new Map((body.folders as { path: string }[]).map((folder) => [folder.path, folder]));
  }

  /** The Social agent's own folders. */
  async protectedFolders(): Promise<{ social: string; posted: string }> {
    const tree = await this.tree();
    return { social: tree.get('Social').folderId, posted: tree.get('Social/Posted').folderId };
  }

  /** All pages of a listing, one after the other. */
  async listAll(parameters: string): Promise<Json[]> {
    const assets: Json[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { status, body } = await this.get(`?${parameters}${next}`);
      if (status !== 200)
        throw new Error(`Listing ${parameters} returned ${status}: ${JSON.stringify(body)}`);
      assets.push(...body.assets);
      cursor = body.nextCursor;
    } while (cursor !== null);
    return assets;
  }

  /** Uploads a small picture through the real path: session, PUT; the token is for `finalize`. */
  async upload(session: Record<string, unknown> = {}): Promise<{ uploadToken: string; sessionId: string }> {
    const { status, body } = await this.post('/upload-session', {
      originalFilename: 'emblem.png',
      mimeType: 'image/png',
      expectedSizeBytes: PICTURE.length,
      ...session,
    });
    if (status !== 201) throw new Error(`Opening a session returned ${status}: ${JSON.stringify(body)}`);
    const put = await fetch(body.uploadUrl, { method: 'PUT', body: PICTURE, headers: body.headers });
    if (!put.ok) throw new Error(`The upload returned ${put.status}`);
    return { uploadToken: body.uploadToken, sessionId: body.sessionId };
  }

  finalize(uploadToken: string, details: Record<string, unknown> = {}): Promise<ApiResponse> {
    return this.post('/upload-session/finalize', { uploadToken, ...details });
  }
}

export const PICTURE = readFileSync(join(__dirname, '../../../src/embedded/samples/emblem.png'));

export interface LibraryService<S extends RunningService = RunningService> {
  readonly service: S;
  readonly owner: Api;
  readonly clientId: string;
  readonly admin: Library;
  readonly portal: Library;
}

/** A new service with one client, as seen from both sides. */
export async function startLibrary(overrides: Overrides = {}): Promise<LibraryService<Service>> {
  return libraryOn(await startService(overrides));
}

/** A new client on a service that other test files use too. */
export async function sharedLibrary(overrides: Overrides = {}): Promise<LibraryService> {
  return libraryOn(await sharedService(overrides));
}

/** A new client on this service. */
export async function libraryOn<S extends RunningService>(service: S): Promise<LibraryService<S>> {
  const owner = await service.api.signIn(OWNER);
  return { service, owner, ...(await newLibrary(owner)) };
}

/** A further client of the same service. */
export async function newLibrary(owner: Api): Promise<Pick<LibraryService, 'clientId' | 'admin' | 'portal'>> {
  const clientId = await newClient(owner);
  // A key instead of a user, because there is no password to hash.
  const { key } = await newKey(owner, { role: 'client_manager', clientIds: [clientId] });
  return {
    clientId,
    admin: new Library(owner, `/admin/clients/${clientId}/assets`),
    portal: new Library(owner.as(key), '/portal/assets'),
  };
}

/** Waits until the check returns true, up to a timeout. */
export async function waitUntil(check: () => Promise<boolean>, what: string, seconds = 45): Promise<void> {
  for (const deadline = Date.now() + seconds * 1000; ;) {
    if (await check()) return;
    if (Date.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
