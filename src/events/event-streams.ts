import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { setTimeout as delay } from 'node:timers/promises';
import { AuthRepository } from '../auth/auth.repository.js';
import { RunningRequests } from '../auth/running-requests.js';
import { lostAccess } from '../auth/current-access.rules.js';
import { isPortalRole } from '../access/permissions.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { logger } from '../common/logging/logger.js';
import { openEventStreams } from '../common/metrics/metrics.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { AccessChanges } from '../database/access-changes.js';
import { isUuid } from '../common/ids.js';
import { ChangeReader } from './change-reader.js';
import { EventStream } from './event-stream.js';
import { EventsRepository } from './events.repository.js';
import type { LibraryChange } from './library-change.js';
import { mergeChanges } from './merge-changes.js';

/** Notified when an event is committed. */
const CHANNEL = 'events';

/** A stream that missed more begins with `resync`. */
const MAX_MISSED = 1_000;
/** The same if so many changes of all clients would have to be read to find them. */
const MAX_SEARCHED = 50_000;

const HEARTBEAT_MS = 20_000;
/** How often to look while notifications may go unnoticed, and after a failure. */
const CAREFUL_MS = 2_000;

/** Streams changes in a client's library to everyone who has it open, whichever process made the change. */
@Injectable()
export class EventStreams implements OnModuleInit, OnApplicationShutdown {
  private readonly clients = new Map<string, Set<EventStream>>();
  private readonly reader: ChangeReader;
  private readonly limits: Config['limits'];
  private readonly heartbeatMs: number;
  private open = 0;
  private readonly openOf = new Map<string, number>();
  private isClosed = false;
  private beats: NodeJS.Timeout | undefined;
  private looks: NodeJS.Timeout | undefined;
  private checking: Promise<void> | null = null;
  private checkAgain = false;

  constructor(
    private readonly changes: AccessChanges,
    private readonly auth: AuthRepository,
    private readonly requests: RunningRequests,
    private readonly events: EventsRepository,
    @InjectConfig() config: Config,
  ) {
    this.reader = new ChangeReader(
      events,
      (changes, lastId) => this.send(changes, lastId),
      (lastId) => {
        for (const stream of this.all()) stream.resync(lastId);
      },
    );
    this.limits = config.limits;
    this.heartbeatMs = Math.min(HEARTBEAT_MS, config.http.timeouts.idleSeconds * 500);
  }

  onModuleInit(): void {
    this.changes.follow({
      channel: CHANNEL,
      onNotification: () => this.reader.wake(),
      onGap: () => this.reader.wakeAfterGap(),
      onAccessChange: () => this.checkAccess(),
    });
    this.beats = setInterval(() => this.beat(), this.heartbeatMs).unref();
    this.looks = setInterval(() => this.lookUnnotified(), CAREFUL_MS).unref();
  }

  /** Streams are closed before the application shuts down, so that they do not delay it. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.beats);
    clearInterval(this.looks);
    this.reader.stop();
    for (const stream of this.all()) stream.end();
  }

  onApplicationShutdown(): void {
    this.close();
  }

  /** Writes events to the response until either side closes it: first what was missed since the last one, then what is new. */
  async subscribe(scope: ClientScope, response: Response, lastEventId: string | undefined): Promise<void> {
    this.requireRoom(scope);
    if (response.closed) return;
    // Its caller is told why it ends.
    this.requests.remove(response);
    this.count(scope.actor.id, 1);
    let isGone = false;
    response.once('close', () => {
      isGone = true;
      this.count(scope.actor.id, -1);
    });
    const position = await this.findPosition(lastEventId);
    // What was committed until now is not news, and another process may have read more than this one.
    await this.reader.read();
    if (isGone) return;
    const stream = new EventStream(scope, response);
    if (position !== null) await this.sendMissed(stream, position);
    else if (lastEventId !== undefined) stream.resync(this.reader.last!.id);
    if (isGone) return;
    if (this.isClosed) return stream.end();
    this.add(stream);
    response.once('close', () => this.remove(stream));
    stream.beat(this.reader.last!.id);
    // Access may have been revoked since the caller was checked.
    this.checkAccess();
  }

  private async findPosition(eventId: string | undefined): Promise<number | null> {
    return eventId !== undefined && isUuid(eventId) ? this.events.findPosition(eventId) : null;
  }

  /** Until the stream has caught up with the others. If that fails, it ends, and its caller continues from the same event. */
  private async sendMissed(stream: EventStream, after: number): Promise<void> {
    try {
      for (let position = after; position < this.reader.last!.position;) {
        const last = this.reader.last!;
        if (last.position - position > MAX_SEARCHED) return stream.resync(last.id);
        const missed = await this.events.findOfClient(
          stream.clientId,
          position,
          last.position,
          MAX_MISSED + 1,
        );
        if (missed.length > MAX_MISSED) stream.resync(last.id);
        else stream.send(mergeChanges(missed), last.id);
        ({ position } = last);
      }
    } catch (error) {
      logger.warn({ err: error }, 'could not send missed events');
      stream.end();
    }
  }

  private requireRoom({ actor }: ClientScope): void {
    if (this.isClosed) throw new Problem('shutting_down', undefined, { retryAfter: 5 });
    if (this.open >= this.limits.eventStreams)
      throw new Problem('server_busy', 'Too many event streams are open.', { retryAfter: 30 });
    if ((this.openOf.get(actor.id) ?? 0) >= this.limits.eventStreamsPerCaller)
      throw new Problem('too_many_requests', 'You have too many event streams open.', { retryAfter: 30 });
  }

  private count(callerId: string, change: 1 | -1): void {
    openEventStreams.set((this.open += change));
    const ofCaller = (this.openOf.get(callerId) ?? 0) + change;
    if (ofCaller > 0) this.openOf.set(callerId, ofCaller);
    else this.openOf.delete(callerId);
  }

  private add(stream: EventStream): void {
    const streams = this.clients.get(stream.clientId) ?? new Set();
    this.clients.set(stream.clientId, streams.add(stream));
  }

  private remove(stream: EventStream): void {
    const streams = this.clients.get(stream.clientId);
    streams?.delete(stream);
    if (streams?.size === 0) this.clients.delete(stream.clientId);
  }

  private send(changes: readonly LibraryChange[], lastId: string): void {
    for (const [clientId, streams] of this.clients) {
      const events = mergeChanges(changes.filter((change) => change.clientId === clientId));
      if (events.length > 0) for (const stream of streams) stream.send(events, lastId);
    }
  }

  private lookUnnotified(): void {
    if (this.open > 0 && (this.changes.version === null || this.reader.hasFailed)) this.reader.wake();
  }

  private beat(): void {
    const { last } = this.reader;
    if (last !== null) for (const stream of this.all()) stream.beat(last.id);
    this.checkAccess();
  }

  private all(): EventStream[] {
    return [...this.clients.values()].flatMap((streams) => [...streams]);
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
    const accesses = await this.auth.findCurrentAccess(streams.map(({ caller }) => caller));
    for (const stream of streams) {
      const current = accesses.get(stream.caller.signInId ?? stream.caller.id);
      const { clientId, caller } = stream;
      const side = isPortalRole(caller.role) ? 'portal:access' : 'platform:access';
      const reason = lostAccess(current, caller, { permissions: [side, 'assets:read'], clientId });
      if (reason !== null) stream.refuse(reason);
      // The caller's permissions have changed; the next stream uses the new ones.
      else if (current?.role !== caller.role) stream.end();
    }
  }
}
