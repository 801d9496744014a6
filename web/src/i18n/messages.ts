import type admin from './en/admin.json';
import assets from './en/assets.json';
import common from './en/common.json';
import details from './en/details.json';
import events from './en/events.json';
import folders from './en/folders.json';
import lightbox from './en/lightbox.json';
import picker from './en/picker.json';
import session from './en/session.json';
import shell from './en/shell.json';
import trash from './en/trash.json';
import ui from './en/ui.json';
import upload from './en/upload.json';

/** One catalogue, a file per feature folder. A translation is another folder beside `en/`. */
const catalogue = {
  assets,
  common,
  details,
  events,
  folders,
  lightbox,
  picker,
  session,
  shell,
  trash,
  ui,
  upload,
};

/** Texts that only some pages need; their modules add them with `addTexts`. */
interface LaterTexts {
  admin: typeof admin;
}

export type Messages = typeof catalogue & LaterTexts;

let adapt = <Texts>(texts: Texts): Texts => texts;
let current: Partial<Messages> = catalogue;

/** All texts so far. */
export const messages = () => current as Messages;

export function addTexts(texts: Partial<LaterTexts>): void {
  Object.assign(current, adapt(texts));
}

/** `?locale=pseudo` proves that every text comes from the catalogue. */
export async function prepareMessages(): Promise<void> {
  if (new URLSearchParams(location.search).get('locale') !== 'pseudo') return;
  const { pseudoLocalized } = await import('./pseudo-locale');
  adapt = pseudoLocalized;
  current = pseudoLocalized(current);
}
