import type admin from './en/admin.json';
import type assets from './en/assets.json';
import type details from './en/details.json';
import type dialogs from './en/dialogs.json';
import type filters from './en/filters.json';
import type folders from './en/folders.json';
import type lightbox from './en/lightbox.json';
import type missing from './en/missing.json';
import type picker from './en/picker.json';
import type session from './en/session.json';
import shell from './en/shell.json';
import type shortcuts from './en/shortcuts.json';
import type storage from './en/storage.json';
import type trash from './en/trash.json';
import ui from './en/ui.json';
import type upload from './en/upload.json';
import type uploads from './en/uploads.json';

/** One catalogue, with a file per feature folder. A translation is another folder next to `en/`. */
const catalogue = { shell, ui };

/** Texts that only some pages need; their modules add them with `addTexts`. */
interface LaterTexts {
  admin: typeof admin;
  assets: typeof assets;
  details: typeof details;
  dialogs: typeof dialogs;
  filters: typeof filters;
  folders: typeof folders;
  lightbox: typeof lightbox;
  missing: typeof missing;
  picker: typeof picker;
  session: typeof session;
  shortcuts: typeof shortcuts;
  storage: typeof storage;
  trash: typeof trash;
  upload: typeof upload;
  uploads: typeof uploads;
}

export type Messages = typeof catalogue & LaterTexts;

let adapt = <Texts>(texts: Texts): Texts => texts;
let current: Partial<Messages> = catalogue;

/** All texts so far. */
export const messages = () => current as Messages;

export function addTexts(texts: Partial<LaterTexts>): void {
  Object.assign(current, adapt(texts));
}

/** `?locale=pseudo` shows whether every text comes from the catalogue. */
export async function prepareMessages(): Promise<void> {
  if (new URLSearchParams(location.search).get('locale') !== 'pseudo') return;
  const { pseudoLocalized } = await import('./pseudo-locale');
  adapt = pseudoLocalized;
  current = pseudoLocalized(current);
}
