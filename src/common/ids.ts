import { v7 } from 'uuid';

/** Ids are UUIDv7: globally unique and ordered by creation time. */
export function newId(): string {
  return v7();
}

/** Ids made since `time` (in milliseconds) sort after this one. */
export function firstIdAt(time: number): string {
  return v7({ msecs: time, seq: 0, random: new Uint8Array(16) });
}

export const CLIENT_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID_PATTERN.test(value);
}
