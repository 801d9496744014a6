import type empty from './en/empty.json';
import session from './en/session.json';
import shell from './en/shell.json';
import ui from './en/ui.json';
import type { laterTexts } from './later-texts';
import type { libraryTexts } from './library-texts';

/** One catalogue, with a file per feature folder. A translation is another folder next to `en/`. */
const catalogue = { session, shell, ui };

/** Texts that the sign-in page does not need. */
type AddedTexts = typeof laterTexts & typeof libraryTexts & { empty: typeof empty };

export type Messages = typeof catalogue & AddedTexts;

let adapt = <Texts>(texts: Texts): Texts => texts;
let current: Partial<Messages> = catalogue;

/** All texts so far. */
export const messages = () => current as Messages;

export function addTexts(texts: Partial<AddedTexts>): void {
  Object.assign(current, adapt(texts));
}

/** `?locale=pseudo` shows whether every text comes from the catalogue. */
export async function prepareMessages(): Promise<void> {
  if (new URLSearchParams(location.search).get('locale') !== 'pseudo') return;
  const { pseudoLocalized } = await import('./pseudo-locale');
  adapt = pseudoLocalized;
  current = pseudoLocalized(current);
}
