import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { safeFileName, safeName } from '../assets/file-names.rules.js';
import type { ClientScope } from '../access/principal.js';
import { ClientsService } from '../clients/clients.service.js';
import { Problem } from '../common/errors/problem.js';
import { FolderTree } from '../folders/folder-tree.rules.js';
import type { PlannedEntry } from './archive-plan.js';
import { ArchiveSize } from './archive-size.rules.js';
import { type ArchivedFile, type ArchivedFolder, ArchivesRepository } from './archives.repository.js';
import { UniqueNames } from './unique-names.js';

/** Small folders are read many at a time; the rest of a large one is read in pages. */
const FOLDERS_AT_ONCE = 50;
const FILES_OF_EACH = 20;
const PAGE = FOLDERS_AT_ONCE * FILES_OF_EACH;

/** What an archive contains: a folder with everything below it (null: the whole library), or a selection of assets. */
export type ArchiveContents = { readonly folderId: string | null } | { readonly assetIds: readonly string[] };

export interface Plan {
  readonly filename: string;
  readonly sizeBytes: number;
}

interface VisitedFolder {
  readonly id: string | null;
  readonly path: string;
  readonly date: number;
  /** Everything directly in it. */
  readonly names: UniqueNames;
}

interface Outline {
  readonly name: string;
  readonly pages: AsyncIterable<PlannedEntry[]> | Iterable<PlannedEntry[]>;
}

/** Plans an archive: its entries, their names and sizes. */
@Injectable()
export class ArchivePlanner {
  constructor(
    private readonly archives: ArchivesRepository,
    private readonly clients: ClientsService,
  ) {}

  /** `write` receives the entries page by page, in the order of the archive. */
  async plan(
    scope: ClientScope,
    contents: ArchiveContents,
    signal: AbortSignal,
    write?: (entries: readonly PlannedEntry[]) => Promise<void>,
  ): Promise<Plan> {
    const namesClient = 'assetIds' in contents || contents.folderId === null;
    const clientName = namesClient ? (await this.clients.get(scope)).name : '';
    return this.archives.inSnapshot(async (manager) => {
      const { name, pages } =
        'assetIds' in contents
          ? await this.selection(manager, scope, contents.assetIds, clientName)
          : await this.folder(manager, scope, contents.folderId, clientName);
      const size = new ArchiveSize();
      for await (const page of pages) {
        signal.throwIfAborted();
        for (const entry of page) size.add(entry);
        await write?.(page);
      }
      return { filename: safeName(`${name}.zip`), sizeBytes: size.total };
    });
  }

  private async folder(
    manager: EntityManager,
    scope: ClientScope,
    folderId: string | null,
    clientName: string,
  ): Promise<Outline> {
    const tree = new FolderTree(await this.archives.findFolders(scope, folderId, manager));
    const folder = folderId === null ? null : tree.get(folderId);
    if (folderId !== null && folder === null) throw new Problem('folder_not_found');
    const name = safeName(folder?.name ?? clientName);
    return { name, pages: this.pages(manager, scope, walk(tree, folder, `${name}/`)) };
  }

  /** Those of the assets that are still live, side by side in one folder. */
  private async selection(
    manager: EntityManager,
    scope: ClientScope,
    assetIds: readonly string[],
    clientName: string,
  ): Promise<Outline> {
    const files = await this.archives.findFiles(scope, assetIds, manager);
    if (files.length === 0) throw new Problem('asset_not_found', 'None of the assets exists any more.');
    const count = files.length === 1 ? '1 asset' : `${files.length} assets`;
    const name = safeName(`${clientName} – ${count}`);
    const root = { id: null, path: `${name}/`, date: Date.now() / 1000, names: new UniqueNames() };
    const entries = [{ path: root.path, date: root.date }, ...files.map((file) => toEntry(file, root))];
    return { name, pages: [entries] };
  }

  private async *pages(
    manager: EntityManager,
    scope: ClientScope,
    folders: Iterable<VisitedFolder>,
  ): AsyncGenerator<PlannedEntry[]> {
    for (const group of groupsOf(folders, FOLDERS_AT_ONCE)) {
      const ids = group.flatMap(({ id }) => id ?? []);
      const firstFiles = byFolder(await this.archives.findOldestFiles(scope, ids, FILES_OF_EACH, manager));
      let page: PlannedEntry[] = [];
      for (const folder of group) {
        const files = firstFiles.get(folder.id) ?? [];
        page.push({ path: folder.path, date: folder.date }, ...files.map((file) => toEntry(file, folder)));
        if (folder.id !== null && files.length < FILES_OF_EACH) continue;
        yield page;
        page = [];
        yield* this.furtherPages(manager, scope, folder, files.at(-1) ?? null);
      }
      yield page;
    }
  }

  private async *furtherPages(
    manager: EntityManager,
    scope: ClientScope,
    folder: VisitedFolder,
    after: ArchivedFile | null,
  ): AsyncGenerator<PlannedEntry[]> {
    for (;;) {
      const files = await this.archives.findFilesAfter(scope, folder.id, after, PAGE, manager);
      yield files.map((file) => toEntry(file, folder));
      if (files.length < PAGE) return;
      after = files.at(-1)!;
    }
  }
}

/** A folder comes before its subfolders. Their names are taken first, so files that clash with them are numbered. */
function* walk(
  tree: FolderTree<ArchivedFolder>,
  folder: ArchivedFolder | null,
  path: string,
): Generator<VisitedFolder> {
  const id = folder?.id ?? null;
  const names = new UniqueNames();
  const children = tree.children(id).map((child) => ({ child, name: names.claim(safeName(child.name)) }));
  yield { id, path, date: folder?.date ?? Date.now() / 1000, names };
  for (const { child, name } of children) yield* walk(tree, child, `${path}${name}/`);
}

function toEntry(file: ArchivedFile, folder: VisitedFolder): PlannedEntry {
  return {
    name: folder.names.claim(safeFileName(file.originalFilename, file.mimeType)),
    date: file.date,
    sizeBytes: file.sizeBytes,
    assetId: file.id,
    attempt: file.attempt,
  };
}

function byFolder(files: readonly ArchivedFile[]): Map<string | null, ArchivedFile[]> {
  const groups = new Map<string | null, ArchivedFile[]>();
  for (const file of files) {
    const group = groups.get(file.folderId);
    if (group) group.push(file);
    else groups.set(file.folderId, [file]);
  }
  return groups;
}

function* groupsOf<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let group: T[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
