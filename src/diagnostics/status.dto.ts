import type { ControlState } from '../storage/control.rules.js';
import type { StorageState } from '../storage/bucket-administration.js';
import type { TempState } from '../storage/temp-files.js';

export type DatabaseState = 'ok' | 'unreachable';
export type StorageCheck = StorageState | 'other_installation';
export type ControlCheck = ControlState | 'unknown';
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
   * Whether the database controls the bucket. Otherwise nothing is deleted from the bucket and nothing is delivered. `waiting`: resumes by
   * itself. `copy`, `behind`, `unclaimed`: resumes after `storage:claim`. `unknown`: the database or the store cannot be reached.
   * @example "ok"
   */
  control: ControlCheck;
  /**
   * Background jobs. `delayed`: jobs are due but no worker runs them.
   * @example "ok"
   */
  queue: QueueState;
  /**
   * The directory for temporary files of this process. If it is not `ok`, large images and archives have to wait.
   * @example "ok"
   */
  temp: TempState;
}

export class StatusDto {
  /** @example "ok" */
  status: 'ok' | 'degraded';
  /** @example "0.2.0" */
  version: string;
  /** @example 3600 */
  uptimeSeconds: number;
  checks: StatusChecksDto;
}

export class AliveDto {
  /** @example "ok" */
  status: string;
}

export class ReadyDto {
  /**
   * `degraded`: temporary files cannot be written, so large images and archives have to wait. All other requests are served.
   * @example "ok"
   */
  status: 'ok' | 'degraded';
}
