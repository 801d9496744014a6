import { Injectable } from '@nestjs/common';
import { text } from 'node:stream/consumers';
import { newId } from '../common/ids.js';
import { logger } from '../common/logging/logger.js';
import { Database } from '../database/database.js';
import { StorageService } from '../storage/storage.service.js';

/** Outside `clients/`, so that no key of ours can ever be it. */
const MARKER_KEY = 'installation';
const REMEMBERED_MS = 2_000;

/** Ties a bucket to the database whose records describe it. A bucket that is not ours is never swept. */
@Injectable()
export class Installation {
  private claimed = false;
  private id: string | null = null;
  private lastSeen: { marker: string | null; at: number } | null = null;

  constructor(
    private readonly database: Database,
    private readonly storage: StorageService,
  ) {}

  /** Marks an empty bucket as ours; remembers success, so that only the first upload of a process asks. */
  async ensureBucketIsOurs(): Promise<boolean> {
    if (this.claimed) return true;
    const id = await this.installationId();
    let marker = await this.readMarker();
    if (marker === null && (await this.bucketIsEmpty())) {
      await this.storage.write(MARKER_KEY, Buffer.from(id), 'text/plain');
      marker = await this.readMarker();
    }
    this.claimed = marker === id;
    if (!this.claimed) {
      logger.warn(
        { installation: id },
        'the bucket does not carry the id of this installation: it will not be swept',
      );
    }
    return this.claimed;
  }

  /** Asks anew: before deleting anything, memory is not good enough. */
  async bucketIsOurs(): Promise<boolean> {
    return (await this.readMarker()) === (await this.installationId());
  }

  /** Whether another installation has marked the bucket as its own; asked for each deletion, and of the store every few seconds. */
  async bucketIsOthers(): Promise<boolean> {
    if (this.lastSeen === null || Date.now() - this.lastSeen.at > REMEMBERED_MS) {
      this.lastSeen = { marker: await this.readMarker(), at: Date.now() };
    }
    const { marker } = this.lastSeen;
    return marker !== null && marker !== (await this.installationId());
  }

  private async installationId(): Promise<string> {
    return (this.id ??= await this.readInstallationId());
  }

  private async readInstallationId(): Promise<string> {
    const { manager } = this.database;
    // Two statements: of two processes starting at once, the later one would not see the other's row in its own.
    await manager.query('INSERT INTO installation (id) VALUES ($1) ON CONFLICT DO NOTHING', [newId()]);
    const [row] = await manager.query<{ id: string }[]>('SELECT id FROM installation');
    return row!.id;
  }

  private async readMarker(): Promise<string | null> {
    const stream = await this.storage.read(MARKER_KEY);
    return stream === null ? null : text(stream);
  }

  private async bucketIsEmpty(): Promise<boolean> {
    for await (const page of this.storage.list('')) return page.length === 0;
    return true;
  }
}
