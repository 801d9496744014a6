import { Injectable } from '@nestjs/common';
import { withTimeout } from '../common/with-timeout.js';
import { VERSION } from '../config/version.js';
import { StorageService } from '../storage/storage.service.js';
import { BucketControl } from '../storage/bucket-control.js';
import { Installation } from '../storage/installation.js';
import { TempFiles, type TempState } from '../storage/temp-files.js';
import type { ControlCheck, DatabaseState, StatusChecksDto, StatusDto, StorageCheck } from './status.dto.js';
import { StatusRepository } from './status.repository.js';

const REMEMBERED_MS = 1_000;
const PATIENCE_MS = 2_000;

@Injectable()
export class StatusService {
  private checked: { at: number; checks: Promise<StatusChecksDto> } | null = null;

  constructor(
    private readonly repository: StatusRepository,
    private readonly storage: StorageService,
    private readonly installation: Installation,
    private readonly tempFiles: TempFiles,
    private readonly control: BucketControl,
  ) {}

  async status(): Promise<StatusDto> {
    const checks = await this.checks();
    const { control, ...others } = checks;
    // Neither is a reason to do something: one ends by itself, and the other follows from another check.
    const healthy =
      Object.values(others).every((state) => state === 'ok') &&
      ['ok', 'waiting', 'unknown'].includes(control);
    return {
      status: healthy ? 'ok' : 'degraded',
      version: VERSION,
      uptimeSeconds: Math.floor(process.uptime()),
      checks,
    };
  }

  /** Cached for a moment, so that a public route cannot put load on the database or the store. */
  private checks(): Promise<StatusChecksDto> {
    const now = Date.now();
    if (this.checked === null || now - this.checked.at > REMEMBERED_MS) {
      this.checked = { at: now, checks: this.runChecks() };
    }
    return this.checked.checks;
  }

  private async runChecks(): Promise<StatusChecksDto> {
    const [database, storage, control, queue, temp] = await Promise.all([
      this.repository.databaseState(),
      this.storageState(),
      this.controlState(),
      this.repository.queueState(),
      this.tempState(),
    ]);
    return { database, storage, control, queue, temp };
  }

  private async storageState(): Promise<StorageCheck> {
    const state = await this.storage.bucket.state();
    if (state !== 'ok') return state;
    // A check that takes too long is not a failure of the store.
    const others = await withTimeout(this.installation.bucketIsOthers(), PATIENCE_MS, () => false).catch(
      () => false,
    );
    return others ? 'other_installation' : 'ok';
  }

  private controlState(): Promise<ControlCheck> {
    const unknown = (): ControlCheck => 'unknown';
    return withTimeout(this.control.state(), PATIENCE_MS, unknown).catch(unknown);
  }

  databaseState(): Promise<DatabaseState> {
    return this.repository.databaseState();
  }

  tempState(): Promise<TempState> {
    return this.tempFiles.state();
  }
}
