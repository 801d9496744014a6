import type { Response } from 'express';
import { type Permission, effectivePermissions } from '../access/permissions.js';
import type { ClientScope, Principal } from '../access/principal.js';
import type { ChangeKind } from './library-change.js';
import type { LibraryEvent } from './merge-changes.js';

/** If the caller has not read the data by then, the stream is closed. The caller can reconnect and continue. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** How long a browser waits before it reconnects. */
const RETRY_MS = 2_000;

const NEEDS: Record<ChangeKind, Permission> = {
  asset: 'assets:read',
  folder: 'assets:read',
  trash: 'assets:read',
  delivery: 'deliveries:read',
  target: 'targets:read',
};

/** The open response of one caller, in the format of server-sent events. */
export class EventStream {
  readonly clientId: string;
  readonly caller: Principal;

  constructor(
    scope: ClientScope,
    private readonly response: Response,
  ) {
    this.clientId = scope.clientId;
    this.caller = scope.actor;
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // Otherwise nginx would buffer events.
      'X-Accel-Buffering': 'no',
    });
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Only events that the caller may see. The id is sent with the last one, when all of them have arrived. */
  send(events: readonly LibraryEvent[], id: string): void {
    const held = effectivePermissions(this.caller);
    const seen = events.filter(({ kind }) => held.has(NEEDS[kind]));
    const texts = seen.map(({ name, data }, index) =>
      textOf(name, data, index === seen.length - 1 ? id : null),
    );
    if (texts.length > 0) this.write(texts.join(''));
  }

  /** Events may have been missed, so the caller must reload. */
  resync(id: string): void {
    this.write(textOf('resync', {}, id));
  }

  /** Keeps the connection alive. Browsers also remember an id without data. */
  beat(id: string): void {
    this.write(`: heartbeat\nid: ${id}\n\n`);
  }

  /** Sends the reason and closes the stream. */
  refuse(reason: string): void {
    this.write(textOf('signed_out', { reason }, null));
    this.end();
  }

  end(): void {
    this.response.end();
  }

  private write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed) return;
    if (this.response.writableLength > MAX_BUFFERED_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}

function textOf(name: string, data: object, id: string | null): string {
  return `event: ${name}\n${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
