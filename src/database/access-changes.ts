import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { withTimeout } from '../common/with-timeout.js';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { BoundedClient } from './bounded-client.js';
import { listeningClient } from './data-source-options.js';

/** The channel that the triggers on users, api_keys and sign_ins notify. */
const CHANNEL = 'access_changes';
const APPLICATION = 'client-asset-library access changes';

const HEARTBEAT_MS = 1_000;
/** If a connection has not delivered a heartbeat for this long, it can no longer be trusted. */
const MAX_SILENCE_MS = 2_500;
const CONFIRM_MS = 1_000;
const CLOSE_MS = 1_000;
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

const COUNT_LISTENERS = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE application_name = '${APPLICATION}' AND datname = current_database()`;

/** Other listeners on the same connection, because one is enough per process. */
export interface Follower {
  readonly channel: string;
  onNotification(payload: string): void;
  /** The connection is new, so earlier notifications may have been missed. */
  onGap(): void;
  onAccessChange(): void;
}

/**
 * Listens for changes to users, API keys and sign-ins, so that what a process has cached about them is never older than
 * the last change, no matter who made it. A process that serves no requests caches nothing and need not listen.
 */
@Injectable()
export class AccessChanges implements OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private client: Client | null = null;
  private running: Promise<void> = Promise.resolve();
  private changes = 0;
  private trustedUntil = 0;
  /** Signals sent by this process, each with the callback for responses. */
  private readonly awaited = new Map<string, () => void>();

  private readonly followers: Follower[] = [];

  constructor(@InjectConfig() private readonly config: Config) {}

  /** Must be called before `start`. */
  follow(follower: Follower): void {
    this.followers.push(follower);
  }

  start(): void {
    this.running = this.keepListening();
  }

  /** Cached values are valid while the version is the same. Null while changes may go unnoticed: then nothing may be cached. */
  get version(): number | null {
    return performance.now() < this.trustedUntil ? this.changes : null;
  }

  /**
   * Must be called after a change is committed. Once it returns, no process uses values cached before the change. A process that does not
   * respond within a second soon stops trusting its own cache.
   */
  async confirm(): Promise<void> {
    this.noteChange();
    const { client } = this;
    if (client === null) return;
    try {
      const { rows } = await client.query<{ count: number }>(COUNT_LISTENERS);
      if (await this.send(client, 'confirm', rows[0]!.count, CONFIRM_MS)) return;
      logger.warn('not every process confirmed an access change in time');
    } catch (error) {
      logger.warn({ err: error }, 'could not confirm an access change');
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    // An unresponsive database must not delay the shutdown of the process.
    await withTimeout(this.running, CLOSE_MS, () => undefined);
  }

  private async keepListening(): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = SHORTEST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const startedAt = performance.now();
      const error: unknown = await this.listen().catch((reason: unknown) => reason);
      if (signal.aborted) return;
      if (performance.now() - startedAt > LONGEST_PAUSE_MS) pause = SHORTEST_PAUSE_MS;
      logger.warn(
        { err: error, pauseMs: pause },
        'cannot listen for changes of access: callers are not cached',
      );
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Uses one connection until it fails or a heartbeat does not arrive, as with a pooler that does not keep sessions. */
  private async listen(): Promise<void> {
    const client = new BoundedClient(listeningClient(this.config.database, MAX_SILENCE_MS));
    const ended = new AbortController();
    const onEnd = () => {
      this.trustedUntil = 0;
      this.client = null;
      ended.abort();
    };
    client.once('end', onEnd).on('error', onEnd);
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === CHANNEL) return this.handleNotification(client, payload);
      for (const follower of this.followers)
        if (follower.channel === channel) follower.onNotification(payload);
    });
    const signal = AbortSignal.any([ended.signal, this.stopping.signal]);
    try {
      await client.connect();
      const channels = [CHANNEL, ...this.followers.map(({ channel }) => channel)];
      const listen = channels.map((channel) => `LISTEN ${channel}`).join('; ');
      await client.query(`SET application_name = '${APPLICATION}'; ${listen}`);
      for (const follower of this.followers) follower.onGap();
      for (; !signal.aborted; await delay(HEARTBEAT_MS, undefined, { signal })) {
        const sentAt = performance.now();
        if (!(await this.send(client, 'heartbeat', 1, MAX_SILENCE_MS)))
          throw new Error('Postgres does not deliver notifications on this connection.');
        if (signal.aborted) break;
        this.client = client;
        this.trustedUntil = sentAt + MAX_SILENCE_MS;
      }
    } finally {
      onEnd();
      this.noteChange();
      await withTimeout(client.end(), CLOSE_MS, () => client.cut());
    }
  }

  private handleNotification(client: Client, payload: string): void {
    const [kind, id = ''] = payload.split(' ');
    if (kind === 'confirm') void notify(client, `confirmed ${id}`).catch(() => undefined);
    else if (kind === 'heartbeat' || kind === 'confirmed') this.awaited.get(id)?.();
    else this.noteChange();
  }

  private noteChange(): void {
    this.changes++;
    for (const follower of this.followers) follower.onAccessChange();
  }

  /** Sends a signal and waits for the responses; false if they do not arrive. Notifications arrive in commit order. */
  private async send(
    client: Client,
    kind: 'heartbeat' | 'confirm',
    responses: number,
    withinMs: number,
  ): Promise<boolean> {
    const id = randomUUID();
    const received = new Promise<boolean>((resolve) => {
      let missing = responses;
      this.awaited.set(id, () => --missing === 0 && resolve(true));
    });
    try {
      await notify(client, `${kind} ${id}`);
      return await withTimeout(received, withinMs, () => false);
    } finally {
      this.awaited.delete(id);
    }
  }
}

async function notify(client: Client, payload: string): Promise<void> {
  // Fails if the function that the triggers call does not exist: before the migration, or after it has been reverted.
  await client.query(`SELECT pg_notify($1, $2), 'notify_access_changes'::regproc`, [CHANNEL, payload]);
}
