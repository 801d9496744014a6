import { Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { originalKey, parseKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { ObjectOwnersRepository } from './object-owners.repository.js';

const PAGE = 1_000;
/** One request to the store and one log line for each. After this number, something is wrong with the whole bucket. */
const MAX_MISSING = 200;

/** Finds assets whose object is missing. */
@Injectable()
export class MissingObjects {
  constructor(
    private readonly storage: StorageService,
    private readonly owners: ObjectOwnersRepository,
  ) {}

  /** The number of missing objects; stops after the first 200. */
  async find(signal: AbortSignal): Promise<number> {
    let missing = 0;
    for await (const clientId of this.clients()) {
      for await (const assetId of this.missingOf(clientId, signal)) {
        logger.error({ alarm: 'object_missing', assetId, clientId }, 'stored object of an asset is missing');
        if (++missing < MAX_MISSING) continue;
        logger.error({ alarm: 'objects_missing', missing }, 'too many objects are missing, stopped checking');
        return missing;
      }
    }
    return missing;
  }

  /** Iterates over records and objects in parallel, both ordered by key, so that neither is held in memory. */
  private async *missingOf(clientId: string, signal: AbortSignal): AsyncGenerator<string> {
    const listed = this.originalsOf(clientId);
    let object = await listed.next();
    for await (const asset of this.assetsOf(clientId)) {
      signal.throwIfAborted();
      const key = originalKey(clientId, asset.id, asset.attempt);
      while (!object.done && object.value < key) object = await listed.next();
      // Checked again by name, because the listing may be older than the record.
      if ((!object.done && object.value === key) || (await this.storage.head(key))) continue;
      yield asset.id;
    }
  }

  private async *originalsOf(clientId: string): AsyncGenerator<string> {
    for await (const page of this.storage.list(`clients/${clientId}/assets/`)) {
      for (const { key } of page) if (parseKey(key)?.kind === 'original') yield key;
    }
  }

  private async *assetsOf(clientId: string): AsyncGenerator<{ id: string; attempt: string }> {
    for (let after: string | null = null; ;) {
      const page = await this.owners.findAssets({ clientId }, after, PAGE);
      yield* page;
      if (page.length < PAGE) return;
      after = page[page.length - 1]!.id;
    }
  }

  private async *clients(): AsyncGenerator<string> {
    for (let after = ''; ;) {
      const page = await this.owners.findClientIds(after, PAGE);
      yield* page;
      if (page.length < PAGE) return;
      after = page[page.length - 1]!;
    }
  }
}
