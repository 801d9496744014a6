import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse, Api } from '../api/api.js';
import { sha256, uniqueJpeg, Uploader } from '../api/uploads.js';

export interface Acknowledged {
  readonly assetId: string;
  readonly sha256: string;
  /** The possible names: the last confirmed one, and unconfirmed ones requested since. */
  titles: string[];
}

/** Nobody waits longer than this for any response, with or without an outage. */
const LONGEST_WAIT_MS = 30_000;

/** Simulates callers of a service with several processes. After a failure, they retry at any process. */
export class MixedLoad {
  /** What the service has confirmed and must keep. */
  readonly acknowledged: Acknowledged[] = [];
  readonly outcomes: Record<string, number> = {};
  /** Responses that no caller should ever see. */
  readonly surprises: string[] = [];
  private stopped = false;
  slowestMs = 0;
  private turn = 0;
  private edits = 0;
  private readonly running: Promise<void>[] = [];
  /** Processes that are dead, by their address. */
  private readonly killed = new Set<string>();

  constructor(
    private readonly urls: readonly string[],
    private readonly caller: Api,
    private readonly clientId: string,
  ) {}

  start(counts: { uploads: number; edits: number; listings: number; previews: number; zips: number }): void {
    const repeat = (times: number, work: () => Promise<void>) => {
      for (let n = 0; n < times; n++) this.running.push(this.loop(work));
    };
    repeat(counts.uploads, () => this.upload());
    repeat(counts.edits, () => this.edit());
    repeat(counts.listings, () => this.list());
    repeat(counts.previews, () => this.preview());
    repeat(counts.zips, () => this.zip());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  /**
   * Connections to this process may be lost until the returned function is called. Connections to other processes must not be lost,
   * whatever else is unavailable.
   */
  expectLosses(url: string): () => void {
    this.killed.add(url);
    return () => this.killed.delete(url);
  }

  private async loop(work: () => Promise<void>): Promise<void> {
    while (!this.stopped) {
      await work();
      await delay(20);
    }
  }

  private async upload(): Promise<void> {
    const file = uniqueJpeg();
    const session = await this.persistently('session', (uploader) => uploader.request(file), [201]);
    if (session === null) return;
    const put = await fetch(session.body.uploadUrl as string, {
      method: 'PUT',
      body: new Uint8Array(file.bytes),
    });
    if (put.status !== 200) this.surprises.push(`the store returned ${put.status}`);
    const { uploadToken } = session.body as { uploadToken: string };
    const finalized = await this.persistently(
      'finalize',
      (uploader) => uploader.finalize({ uploadToken }),
      [200, 201],
    );
    if (finalized === null) return;
    const { assetId, title } = finalized.body as { assetId: string; title: string };
    this.acknowledged.push({ assetId, sha256: sha256(file.bytes), titles: [title] });
  }

  private anyAsset(): Acknowledged | undefined {
    return this.acknowledged[Math.floor(Math.random() * this.acknowledged.length)];
  }

  /** One caller at a time, because the order of two concurrent edits is unknown. */
  private async edit(): Promise<void> {
    const asset = this.anyAsset();
    if (!asset) return;
    const title = `Title ${++this.edits}`;
    const response = await this.once('edit', ({ api, base }) =>
      api.patch(`${base}/${asset.assetId}`, { title }),
    );
    asset.titles = response?.status === 200 ? [title] : [...asset.titles, title];
  }

  private async list(): Promise<void> {
    await this.once('list', ({ api, base }) => api.get(base));
  }

  private async preview(): Promise<void> {
    const asset = this.anyAsset();
    if (asset)
      await this.once('preview', ({ api, base }) => api.get(`${base}/${asset.assetId}/preview?size=thumb`));
  }

  private async zip(): Promise<void> {
    await this.once('zip', async ({ api, base }) => {
      const response = await api.fetch('GET', `${base}/folders/download`);
      const bytes = await response.arrayBuffer();
      if (response.status === 200 && bytes.byteLength !== Number(response.headers.get('content-length')))
        this.surprises.push(`a zip ended early, at ${bytes.byteLength} bytes`);
      return { status: response.status, headers: response.headers, body: null };
    });
  }

  /** Retries until it succeeds, as a good client does; null if the load ends before that. */
  private async persistently(
    what: string,
    ask: (uploader: Uploader) => Promise<ApiResponse>,
    done: number[],
  ): Promise<ApiResponse | null> {
    for (let patience = 0; patience < 600; patience++) {
      const response = await this.once(what, ask);
      if (response && done.includes(response.status)) return response;
      if (this.stopped && patience > 200) return null;
      await delay(100);
    }
    this.surprises.push(`${what} never completed`);
    return null;
  }

  /** Null: the connection was lost, as it is when the process is killed, and only then. */
  private async once(
    what: string,
    ask: (uploader: Uploader) => Promise<ApiResponse>,
  ): Promise<ApiResponse | null> {
    const startedAt = Date.now();
    const url = this.urls[this.turn++ % this.urls.length]!;
    const startedDead = this.killed.has(url);
    const uploader = Uploader.admin(this.caller.at(url), this.clientId);
    const response = await ask(uploader).catch((error: Error & { cause?: Error }) => {
      if (!startedDead && !this.killed.has(url))
        this.surprises.push(`${what}: lost (${(error.cause ?? error).message})`);
      return null;
    });
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > LONGEST_WAIT_MS)
      this.surprises.push(`${what}: ${response?.status ?? 'lost'} after ${Math.round(waitedMs / 1000)} s`);
    this.slowestMs = Math.max(this.slowestMs, waitedMs);
    const key = `${what} ${response?.status ?? 'lost'}`;
    this.outcomes[key] = (this.outcomes[key] ?? 0) + 1;
    if (response === null) return null;
    const { status, headers } = response;
    if (status === 503 && !headers.get('retry-after'))
      this.surprises.push(`${what}: 503 without Retry-After`);
    const expected = [200, 201, 409, 429, 503];
    if (!expected.includes(status))
      this.surprises.push(`${what}: ${status} ${JSON.stringify(response.body)}`);
    return response;
  }
}
