import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../access/principal.js';
import { parseAssetId } from '../common/asset-ref.js';
import { Problem } from '../common/errors/problem.js';
import { isUuid, newId } from '../common/ids.js';
import { Database } from '../database/database.js';
import { ArchiveLinksRepository, type FoundLink, type NewLink } from './archive-links.repository.js';
import { ArchivesRepository } from './archives.repository.js';

/** Links to archives of selected assets. */
@Injectable()
export class ArchiveLinksService {
  constructor(
    private readonly database: Database,
    private readonly archives: ArchivesRepository,
    private readonly links: ArchiveLinksRepository,
  ) {}

  async create(scope: ClientScope, idsOrRefs: readonly string[]): Promise<NewLink> {
    const given = idsOrRefs.map((idOrRef) => ({ idOrRef, id: parseAssetId(idOrRef) }));
    const ids = [...new Set(given.flatMap(({ id }) => id ?? []))];
    return this.database.transaction(async (manager) => {
      const live = new Set((await this.archives.findFiles(scope, ids, manager)).map(({ id }) => id));
      const missing = given.filter(({ id }) => id === null || !live.has(id));
      if (missing.length > 0) throw notFound(missing.map(({ idOrRef, id }) => id ?? idOrRef));
      const link = await this.links.insert(scope, newId(), ids, manager);
      await this.links.deleteOldest(scope, manager);
      return link;
    });
  }

  /** Of another caller or client: not found. */
  async get(scope: ClientScope, archiveId: string): Promise<FoundLink> {
    const link = isUuid(archiveId) ? await this.links.find(scope, archiveId) : null;
    if (link === null) throw new Problem('archive_not_found');
    if (link.isOver) throw new Problem('archive_expired', 'Request the archive again.');
    return link;
  }

  /** It was downloaded. */
  async end(scope: ClientScope, archiveId: string): Promise<void> {
    await this.links.setUsed(scope, archiveId);
  }
}

function notFound(assetIds: readonly string[]): Problem {
  const results = assetIds.map((assetId) => ({ assetId, ok: false, code: 'asset_not_found' }));
  return new Problem('asset_not_found', 'Some of the assets do not exist or are in the trash.', {
    extra: { results },
  });
}
