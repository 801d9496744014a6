import type { StorageState } from '../storage/storage.service.js';

export class StatusChecksDto {
  /** @example "ok" */
  database: 'ok' | 'unreachable';
  /** @example "ok" */
  storage: StorageState;
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
