import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { VERSION } from '../config/config.js';
import { StorageService } from '../storage/storage.service.js';
import type { StatusChecksDto, StatusDto } from './status.dto.js';

const REMEMBERED_MS = 1_000;

@Injectable()
export class StatusService {
  private checked: { at: number; checks: Promise<StatusChecksDto> } | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly storage: StorageService,
  ) {}

  async status(): Promise<StatusDto> {
    const checks = await this.checks();
    const healthy = checks.database === 'ok' && checks.storage === 'ok';
    return {
      status: healthy ? 'ok' : 'degraded',
      version: VERSION,
      uptimeSeconds: Math.floor(process.uptime()),
      checks,
    };
  }

  /** Remembered for a moment, so that a public route is no way to load the database or the store. */
  private checks(): Promise<StatusChecksDto> {
    const now = Date.now();
    if (this.checked === null || now - this.checked.at > REMEMBERED_MS) {
      this.checked = { at: now, checks: this.ask() };
    }
    return this.checked.checks;
  }

  private async ask(): Promise<StatusChecksDto> {
    const [database, storage] = await Promise.all([this.databaseState(), this.storage.state()]);
    return { database, storage };
  }

  async databaseState(): Promise<'ok' | 'unreachable'> {
    try {
      await this.dataSource.query('SELECT 1');
      return 'ok';
    } catch {
      return 'unreachable';
    }
  }
}
