import { Injectable } from '@nestjs/common';
import type { ClientScope } from '../auth/principal.js';
import { ClientsService } from '../clients/clients.service.js';
import { Problem } from '../common/errors/problem.js';
import type { Folder } from '../database/entities/folder.entity.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import type { FolderTree } from '../folders/folder-tree.rules.js';
import { originalKey } from '../storage/object-key.js';
import { safeName, UniqueNames } from './archive-names.rules.js';
import { archiveSize } from './archive-size.rules.js';
import { type ArchivedAsset, ArchivesRepository } from './archives.repository.js';

export interface ArchiveEntry {
  readonly path: string;
  readonly date: Date;
  /** Null: a folder. */
  readonly file: { readonly key: string; readonly sizeBytes: number } | null;
}

export interface Archive {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly entries: readonly ArchiveEntry[];
}

/** Plans the archive of a folder, or of the whole library: which entries, under which names, how many bytes. */
@Injectable()
export class ArchivesService {
  constructor(
    private readonly archives: ArchivesRepository,
    private readonly folders: FoldersRepository,
    private readonly clients: ClientsService,
  ) {}

  async plan(scope: ClientScope, folderId: string | null): Promise<Archive> {
    const tree = await this.folders.loadTree(scope);
    const folder = folderId === null ? null : tree.get(folderId);
    if (folderId !== null && folder === null) throw new Problem('folder_not_found');
    const root = safeName(folder?.name ?? (await this.clients.get(scope)).name);
    const folderIds = folderId === null ? null : tree.subtree(folderId).map(({ id }) => id);
    const assetsIn = groupByFolder(await this.archives.findAssets(scope, folderIds));

    const entries: ArchiveEntry[] = [];
    addFolder(entries, scope.clientId, tree, assetsIn, folder, `${root}/`);
    const sized = entries.map(({ path, file }) => ({ path, sizeBytes: file?.sizeBytes ?? null }));
    return { filename: `${root}.zip`, sizeBytes: archiveSize(sized), entries };
  }
}

/** The folder itself, its files, then its folders: each below the path of its parent. */
function addFolder(
  entries: ArchiveEntry[],
  clientId: string,
  tree: FolderTree<Folder>,
  assetsIn: ReadonlyMap<string | null, ArchivedAsset[]>,
  folder: Folder | null,
  path: string,
): void {
  const folderId = folder?.id ?? null;
  entries.push({ path, date: folder?.createdAt ?? new Date(), file: null });
  const names = new UniqueNames();
  const children = tree.children(folderId).map((child) => ({ child, name: names.claim(child.name) }));
  for (const asset of assetsIn.get(folderId) ?? []) {
    entries.push({
      path: path + names.claim(asset.originalFilename),
      date: asset.date,
      file: { key: originalKey(clientId, asset.id, asset.attempt), sizeBytes: asset.sizeBytes },
    });
  }
  for (const { child, name } of children)
    addFolder(entries, clientId, tree, assetsIn, child, `${path}${name}/`);
}

function groupByFolder(assets: readonly ArchivedAsset[]): Map<string | null, ArchivedAsset[]> {
  const groups = new Map<string | null, ArchivedAsset[]>();
  for (const asset of assets) {
    const group = groups.get(asset.folderId);
    if (group) group.push(asset);
    else groups.set(asset.folderId, [asset]);
  }
  return groups;
}
