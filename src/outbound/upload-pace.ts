import type { Socket } from 'node:net';

const LOOK_MS = 1_000;

export interface Pace {
  readonly minBytesPerSecond: number;
  readonly windowMs: number;
}

/**
 * Calls `onSlow` when the other side has read less than the minimum during a whole window in which bytes waited for it. Time in which we had
 * nothing to send does not count.
 */
export function watchPace(socket: Socket, { minBytesPerSecond, windowMs }: Pace, onSlow: () => void): void {
  const sent = () => socket.bytesWritten - socket.writableLength;
  let start = { at: performance.now(), sent: sent() };
  const timer = setInterval(
    () => {
      const now = { at: performance.now(), sent: sent() };
      const enough = start.sent + (minBytesPerSecond * windowMs) / 1000;
      if (!socket.writableNeedDrain || now.sent >= enough) start = now;
      else if (now.at - start.at >= windowMs) onSlow();
    },
    Math.min(LOOK_MS, windowMs / 4),
  );
  socket.once('close', () => clearInterval(timer));
}
