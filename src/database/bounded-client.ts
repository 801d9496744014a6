import type { Socket } from 'node:net';
import { Client } from 'pg';

const TIMED_OUT = 'Query read timeout';

/**
 * Closes itself if no response arrives within `query_timeout`. The network may have dropped the connection, and the
 * pool would give it to the next caller, who would wait just as long.
 */
export class BoundedClient extends Client {
  constructor(...options: ConstructorParameters<typeof Client>) {
    super(...options);
    // The pool listens while it holds the connection, and a caller after receiving it. An error in between would end the process; with
    // this listener, the caller's first query reports it.
    this.on('error', () => undefined);
  }

  // pg's overloads differ only in their return type, which is passed on unchanged.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  override query(...request: any[]): any {
    const result: unknown = (super.query as (...args: unknown[]) => unknown).apply(this, request);
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === TIMED_OUT) this.cut();
      });
    }
    return result;
  }

  /** Closes the connection without notifying the other side. */
  cut(): void {
    (this as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}
