import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { setTimeout as delay } from 'node:timers/promises';
import { AuthRepository } from '../auth/auth.repository.js';
import { RunningRequests } from '../auth/running-requests.js';
import { lostAccess } from '../auth/standing.rules.js';
import type { Permission } from '../access/permissions.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { logger } from '../common/logging/logger.js';
import { openEventStreams } from '../common/metrics/metrics.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { AccessChanges } from '../database/access-changes.js';
import { EventHistory } from './event-history.js';
import { EventStream } from './event-stream.js';
import { type LibraryChange, parseChange } from './library-change.js';
import { PendingChanges } from './pending-changes.js';

/** The channel that the triggers on the library's tables notify. */
const CHANNEL = 'library_changes';

/** Changes of a client are collected for this long after the first one, and at least this long between two messages. */
const GATHER_MS = 25;
const PAUSE_MS = 250;

const HEARTBEAT_MS = 20_000;
/** Used while access changes may go unnoticed, and after a failure. */
const CAREFUL_MS = 2_000;

interface Subscribers {
  readonly streams: Set<EventStream>;
  readonly pending: PendingChanges;
  sentAt: number;
  timer: NodeJS.Timeout | null;
}

/** Streams changes in a client's library to everyone who has it open, whichever process made the change. */
@Injectable()
export class EventStreams implements OnModuleInit, OnApplicationShutdown {
  private readonly clients = new Map<string, Subscribers>();
  private readonly history: EventHistory;
  private readonly limits: Config['limits'];
  private readonly heartbeatMs: number;
  private open = 0;
  private readonly openOf = new Map<string, number>();
  private isClosed = false;
  private beats: NodeJS.Timeout | undefined;
  private checking: Promise<void> | null = null;
  private checkAgain = false;

  constructor(
    private readonly changes: AccessChanges,
    private readonly auth: AuthRepository,
    private readonly requests: RunningRequests,
    @InjectConfig() config: Config,
  ) {
    this.history = new EventHistory(config.auth.jwtSecrets[0] ?? '');
    this.limits = config.limits;
    this.heartbeatMs = Math.min(HEARTBEAT_MS, config.http.timeouts.idleSeconds * 500);
  }

  onModuleInit(): void {
    this.changes.follow({
      channel: CHANNEL,
      onNotification: (payload) => this.hear(payload),
      onGap: () => this.resyncAll(),
      onAccessChange: () => this.checkAccess(),
    });
    this.beats = setInterval(() => this.beat(), this.heartbeatMs).unref();
  }

  /** Streams are closed before the application shuts down, so that they do not delay it. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.beats);
    for (const stream of this.all()) stream.end();
  }

  onApplicationShutdown(): void {
    this.close();
  }

  /** Writes events to the response until either side closes it. */
  subscribe(scope: ClientScope, side: Permission, response: Response, lastEventId: string | undefined): void {
    this.requireRoom(scope);
    // Its caller is told why it ends.
    this.requests.remove(response);
    const stream = new EventStream(scope, side, response);
    this.flush(scope.clientId);
    const missed = lastEventId === undefined ? [] : this.history.after(lastEventId, scope.clientId);
    const { lastId } = this.history;
    if (missed === null) stream.resync(lastId);
    else stream.send(merge(missed), lastId);
    stream.beat(lastId);
    this.add(stream);
    response.once('close', () => this.remove(stream));
    // Access may have been revoked since the caller was checked.
    this.checkAccess();
  }

  private requireRoom({ actor }: ClientScope): void {
    if (this.isClosed) throw new Problem('shutting_down', undefined, { retryAfter: 5 });
    if (this.open >= this.limits.eventStreams)
      throw new Problem('server_busy', 'Too many event streams are open.', { retryAfter: 30 });
    if ((this.openOf.get(actor.id) ?? 0) >= this.limits.eventStreamsPerCaller)
      throw new Problem('too_many_requests', 'You have too many event streams open.', { retryAfter: 30 });
  }

  private add(stream: EventStream): void {
    const { clientId, caller } = stream;
    let client = this.clients.get(clientId);
    if (client === undefined) {
      client = { streams: new Set(), pending: new PendingChanges(), sentAt: 0, timer: null };
      this.clients.set(clientId, client);
    }
    client.streams.add(stream);
    this.openOf.set(caller.id, (this.openOf.get(caller.id) ?? 0) + 1);
    openEventStreams.set(++this.open);
  }

  private remove(stream: EventStream): void {
    const { clientId, caller } = stream;
    const client = this.clients.get(clientId);
    if (!client?.streams.delete(stream)) return;
    openEventStreams.set(--this.open);
    const left = this.openOf.get(caller.id)! - 1;
    if (left > 0) this.openOf.set(caller.id, left);
    else this.openOf.delete(caller.id);
    if (client.streams.size > 0) return;
    clearTimeout(client.timer ?? undefined);
    this.clients.delete(clientId);
  }

  private hear(payload: string): void {
    const change = parseChange(payload);
    if (change === null) return;
    this.history.add(change);
    const client = this.clients.get(change.clientId);
    if (client === undefined) return;
    client.pending.add(change);
    const pauseLeft = client.sentAt + PAUSE_MS - performance.now();
    client.timer ??= setTimeout(() => this.flush(change.clientId), Math.max(GATHER_MS, pauseLeft)).unref();
  }

  private flush(clientId: string): void {
    const client = this.clients.get(clientId);
    if (client === undefined) return;
    clearTimeout(client.timer ?? undefined);
    client.timer = null;
    if (client.pending.isEmpty) return;
    client.sentAt = performance.now();
    const events = client.pending.take();
    for (const stream of client.streams) stream.send(events, this.history.lastId);
  }

  private resyncAll(): void {
    this.history.clear();
    for (const client of this.clients.values()) client.pending.take();
    for (const stream of this.all()) stream.resync(this.history.lastId);
  }

  private beat(): void {
    for (const clientId of [...this.clients.keys()]) this.flush(clientId);
    for (const stream of this.all()) stream.beat(this.history.lastId);
    this.checkAccess();
  }

  private all(): EventStream[] {
    return [...this.clients.values()].flatMap(({ streams }) => [...streams]);
  }

  /** Closes the streams of callers who lost access. Runs one check at a time, and another one for changes that arrive in the meantime. */
  private checkAccess(): void {
    this.checkAgain = true;
    this.checking ??= this.keepChecking().finally(() => {
      this.checking = null;
      if (this.checkAgain && this.open > 0 && !this.isClosed) this.checkAccess();
    });
  }

  private async keepChecking(): Promise<void> {
    while (this.checkAgain && this.open > 0 && !this.isClosed) {
      this.checkAgain = false;
      try {
        await this.endRefused(this.all());
      } catch (error) {
        logger.warn({ err: error }, 'could not check access of event streams');
        this.checkAgain = true;
      }
      const isCertain = !this.checkAgain && this.changes.version !== null;
      if (isCertain) continue;
      await delay(CAREFUL_MS, undefined, { ref: false });
      this.checkAgain = true;
    }
  }

  private async endRefused(streams: readonly EventStream[]): Promise<void> {
    const standings = await this.auth.findStandings(streams.map(({ caller }) => caller));
    for (const stream of streams) {
      const standing = standings.get(stream.caller.signInId ?? stream.caller.id);
      const { side, clientId, caller } = stream;
      const reason = lostAccess(standing, caller, { permissions: [side, 'assets:read'], clientId });
      if (reason !== null) stream.refuse(reason);
      // The caller's permissions have changed; the next stream uses the new ones.
      else if (standing?.role !== caller.role) stream.end();
    }
  }
}

function merge(changes: readonly LibraryChange[]) {
  const pending = new PendingChanges();
  for (const change of changes) pending.add(change);
  return pending.take();
}
