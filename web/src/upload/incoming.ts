import type { DropItem } from 'react-aria';
import type { IncomingFile } from './engine/types';

/** Small enough that the page can render a frame in between, because a browser may look up each file on disk. */
const BATCH = 50;

/** Chosen files, the data of a drop or paste, or React Aria's drop items. */
export type UploadSource = FileList | DataTransfer | Iterable<File> | Iterable<DropItem>;

export interface IncomingBatch {
  readonly files: readonly IncomingFile[];
  /** Folders that directly contain no files, as lists of names, outermost first. */
  readonly emptyFolders: readonly (readonly string[])[];
}

/** A file or folder that has not been read yet. */
type Entry =
  | { readonly kind: 'file'; readonly name: string; readonly read: () => Promise<File> }
  | { readonly kind: 'folder'; readonly name: string; readonly entries: () => AsyncIterable<Entry> };

/**
 * Reads files and whole folders, to any depth, a batch at a time. The data of a drop event is only available in its
 * handler, so this must be called there; reading can take longer.
 */
export function readIncoming(source: UploadSource): AsyncIterable<IncomingBatch> {
  if (source instanceof DataTransfer) {
    const entries = Array.from(source.items, entryOfItem).filter((entry) => entry !== null);
    return inBatches(walk(entries, []));
  }
  const files: IncomingFile[] = [];
  const entries: Entry[] = [];
  for (const each of source) {
    if (each instanceof File) files.push({ file: each, folders: foldersOf(each) });
    else if (each.kind === 'file')
      entries.push({ kind: 'file', name: each.name, read: () => each.getFile() });
    else if (each.kind === 'directory') entries.push(entryOfDirectory(each));
  }
  return inBatches(concat(files, walk(entries, [])));
}

/** Hidden files, and files that operating systems create. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || /^(thumbs\.db|desktop\.ini|__macosx)$/i.test(name);
}

/** For a folder that was chosen with the picker. */
function foldersOf({ webkitRelativePath }: File): string[] {
  return webkitRelativePath.split('/').slice(0, -1);
}

function entryOfItem(item: DataTransferItem): Entry | null {
  if (item.kind !== 'file') return null;
  // Folders have no type. Getting the entry of every file would block the page for a millisecond each.
  const entry = item.type === '' ? item.webkitGetAsEntry() : null;
  if (entry) return entryOfFileSystem(entry);
  const file = item.getAsFile();
  return file && { kind: 'file', name: file.name, read: () => Promise.resolve(file) };
}

function entryOfFileSystem(entry: FileSystemEntry): Entry {
  const { name } = entry;
  if (entry.isDirectory)
    return { kind: 'folder', name, entries: () => readFolder(entry as FileSystemDirectoryEntry) };
  const read = () =>
    new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
  return { kind: 'file', name, read };
}

/** Browsers return the entries of a folder in batches; the last one is empty. */
async function* readFolder(folder: FileSystemDirectoryEntry): AsyncIterable<Entry> {
  const reader = folder.createReader();
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return;
    for (const entry of portion) yield entryOfFileSystem(entry);
  }
}

function entryOfDirectory(item: Extract<DropItem, { kind: 'directory' }>): Entry {
  async function* entries(): AsyncIterable<Entry> {
    for await (const each of item.getEntries()) {
      if (each.kind === 'file') yield { kind: 'file', name: each.name, read: () => each.getFile() };
      else yield entryOfDirectory(each);
    }
  }
  return { kind: 'folder', name: item.name, entries };
}

type Found = IncomingFile | { readonly emptyFolder: readonly string[] };

async function* walk(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  folders: readonly string[],
): AsyncIterable<Found> {
  let isEmpty = true;
  for await (const entry of entries) {
    if (isHidden(entry.name)) continue;
    isEmpty = false;
    if (entry.kind === 'file') yield { file: await entry.read(), folders };
    else yield* walk(entry.entries(), [...folders, entry.name]);
  }
  if (isEmpty && folders.length > 0) yield { emptyFolder: folders };
}

async function* concat(files: readonly IncomingFile[], others: AsyncIterable<Found>): AsyncIterable<Found> {
  yield* files.filter(({ file, folders }) => ![...folders, file.name].some(isHidden));
  yield* others;
}

async function* inBatches(found: AsyncIterable<Found>): AsyncIterable<IncomingBatch> {
  let files: IncomingFile[] = [];
  let emptyFolders: (readonly string[])[] = [];
  for await (const each of found) {
    if ('file' in each) files.push(each);
    else emptyFolders.push(each.emptyFolder);
    if (files.length + emptyFolders.length < BATCH) continue;
    yield { files, emptyFolders };
    [files, emptyFolders] = [[], []];
    await new Promise((resolve) => setTimeout(resolve));
  }
  if (files.length + emptyFolders.length > 0) yield { files, emptyFolders };
}
