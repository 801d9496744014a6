import type { Schemas } from '../../api/client';
import { validationErrors } from '../../api/problem';
import type { Surface } from '../../api/values';
import type { Asset } from '../../library/asset-types';

/** What the API changes in every one of the assets. */
export type Edit = Pick<
  Schemas['BulkDto'],
  | 'titlePattern'
  | 'startAt'
  | 'altText'
  | 'description'
  | 'onlyEmpty'
  | 'addTags'
  | 'removeTags'
  | 'allowedSurfaces'
>;

/** What the user has entered so far. Undefined leaves a field as it is. */
export interface Draft {
  readonly titlePattern?: string;
  /** As typed. */
  readonly startAt: string;
  readonly altText?: string;
  readonly description?: string;
  /** Applies to alt texts and descriptions. */
  readonly onlyEmpty: boolean;
  readonly tags?: { readonly add: readonly string[]; readonly remove: readonly string[] };
  /** Null until one is chosen. */
  readonly allowedSurfaces?: readonly Surface[] | null;
}

export type TextField = 'altText' | 'description';

export const NO_CHANGES: Draft = { startAt: '1', onlyEmpty: true };
export const NO_TAGS = { add: [], remove: [] };

const TEXT_FIELDS: readonly TextField[] = ['altText', 'description'];
/** The API's maximum for the first number. */
const MAX_NUMBER = 1_000_000;

/** Null if the draft changes nothing yet, or is not complete. */
export function editOf(draft: Draft): Edit | null {
  const { titlePattern, altText, description, tags = NO_TAGS, allowedSurfaces } = draft;
  const hasTexts = altText !== undefined || description !== undefined;
  if (titlePattern?.trim() === '' || allowedSurfaces === null) return null;
  const edit: Edit = {
    ...(titlePattern === undefined ? {} : { titlePattern, startAt: startOf(draft) }),
    ...(altText === undefined ? {} : { altText: altText.trim() }),
    ...(description === undefined ? {} : { description: description.trim() }),
    ...(hasTexts && draft.onlyEmpty ? { onlyEmpty: true } : {}),
    ...(tags.add.length > 0 ? { addTags: [...tags.add] } : {}),
    ...(tags.remove.length > 0 ? { removeTags: [...tags.remove] } : {}),
    ...(allowedSurfaces === undefined ? {} : { allowedSurfaces: [...allowedSurfaces] }),
  };
  return Object.keys(edit).length > 0 ? edit : null;
}

/** A text that all of them share can only be replaced. Texts that differ stay, unless the user decides otherwise. */
export function switchText(
  draft: Draft,
  field: TextField,
  isOn: boolean,
  shared: Readonly<Record<TextField, string | undefined>>,
): Draft {
  const switched = { ...draft, [field]: isOn ? (shared[field] ?? '') : undefined };
  const texts = TEXT_FIELDS.filter((each) => switched[each] !== undefined).map((each) => shared[each]);
  return { ...switched, onlyEmpty: texts.includes(undefined) || texts.every((text) => text === '') };
}

/** The number of the first asset. */
export function startOf({ startAt }: Pick<Draft, 'startAt'>): number {
  return startAt === '' ? 1 : Number(startAt);
}

/** What becomes of a typed first number: digits only, and no number above the API's maximum. */
export function startTyped(text: string, count: number): string {
  const digits = text.replace(/\D/g, '').slice(0, String(MAX_NUMBER).length);
  const max = Math.max(0, MAX_NUMBER - count + 1);
  return Number(digits) > max ? String(max) : digits;
}

export function isPatternFault(error: unknown): boolean {
  return 'titlePattern' in validationErrors(error);
}

/** The value that all of the assets have, or undefined if they differ. */
export function sharedValue<Value>(
  assets: readonly Asset[],
  valueOf: (asset: Asset) => Value,
): Value | undefined {
  const [first, ...others] = assets.map(valueOf);
  return others.every((value) => String(value) === String(first)) ? first : undefined;
}

/** With as many digits as the last number has, so that the titles sort in the order of the numbers. */
export function numberPlaceholder(last: number): string {
  const digits = String(last).length;
  return digits === 1 ? '{n}' : `{n:${digits}}`;
}
