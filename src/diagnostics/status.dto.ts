import type { StorageState } from '../storage/bucket-administration.js';

export type DatabaseState = 'ok' | 'unreachable';
export type StorageCheck = StorageState | 'other_installation';
export type QueueState = 'ok' | 'delayed' | 'unreachable';

export class StatusChecksDto {
  /** @example "ok" */
  database: DatabaseState;
  /**
   * Whether uploads can be stored. `other_installation`: the bucket belongs to another installation, so uploads are rejected.
   * @example "ok"
   */
  storage: StorageCheck;
  /**
   * Background jobs. `delayed`: jobs are due but no worker runs them.
   * @example "ok"
   */
  queue: QueueState;
}

export class StatusDto {
  /** @example "ok" */
  status: 'ok' | 'degraded';
  /** @example "0.1.0" */
  version: string;
  /** @example 3600 */
  uptimeSeconds: number;
  checks: StatusChecksDto;
}

export class AliveDto {
  /** @example "ok" */
  status: string;
}
