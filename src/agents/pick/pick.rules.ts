import { isFoundAtWordStart } from '../../assets/asset-listing.statements.js';
import { Turns } from '../../common/turns.js';
import { searchTerms, searchWords } from '../../assets/search.rules.js';
import { withoutMediaExtension } from '../../media/file-types.js';
import type { Surface, Verdict } from '../../database/entities/asset.entity.js';

/** The values by which an asset is ranked. */
export interface Rankable {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly altText: string;
  readonly tags: readonly string[];
  readonly originalFilename: string;
  readonly createdAt: Date;
  readonly verdict: Verdict;
  /** Days since it was last used on the surface; null means never. */
  readonly lastUsedDays: number | null;
}

export interface Wish {
  readonly surface: Surface;
  readonly text?: string;
  readonly tags?: readonly string[];
}

export type Ranked<T extends Rankable = Rankable> = T & {
  readonly score: number;
  readonly reasons: string[];
};

/** The maximum points for text, for being unused, and for fitness: 100 in total. */
const TEXT_POINTS = 70;
const UNUSED_POINTS = 15;
const FITNESS_POINTS: Record<Verdict, number> = { ready: 15, fixable: 8, blocked: -100 };

/** Points for assets that were last used at least this many days ago. */
const REST_POINTS: readonly (readonly [days: number, points: number])[] = [
  [365, 12],
  [90, 8],
  [30, 4],
];

/** The weight of a word by the field that contains it, best first. Inside a longer word, it counts less. */
const FIELDS: readonly (readonly [worth: number, texts: (asset: Rankable) => readonly string[]])[] = [
  [1, ({ title }) => [title]],
  [0.9, ({ tags }) => tags],
  [0.8, ({ altText, description }) => [altText, description]],
  [0.7, ({ originalFilename }) => [withoutMediaExtension(originalFilename)]],
];
const INSIDE_WORD = 0.2;

/** Best first. The order is deterministic: newest first if scores are equal. */
export async function rank<T extends Rankable>(assets: readonly T[], wish: Wish): Promise<Ranked<T>[]> {
  const terms = searchTerms(wish.text ?? '');
  const ranked: Ranked<T>[] = [];
  const turns = new Turns();
  for (const asset of assets) {
    ranked.push(judged(asset, wish, terms));
    await turns.yield();
  }
  return ranked.sort(compareRanked);
}

type Position = Pick<Ranked, 'score' | 'createdAt' | 'id'>;

/** Negative if the first ranks before the second. */
export function compareRanked(one: Position, other: Position): number {
  return (
    other.score - one.score ||
    other.createdAt.getTime() - one.createdAt.getTime() ||
    (one.id < other.id ? 1 : one.id > other.id ? -1 : 0)
  );
}

function judged<T extends Rankable>(asset: T, wish: Wish, terms: readonly string[]): Ranked<T> {
  const fields =
    terms.length === 0
      ? []
      : FIELDS.map(([worth, textsOf]) => ({
          worth,
          words: ` ${textsOf(asset).flatMap(searchWords).join(' ')} `,
        }));
  const worths = terms.map((term) => worthOf(term, fields));
  const text = terms.length === 0 ? 0 : worths.reduce((sum, worth) => sum + worth, 0) / terms.length;
  const score = TEXT_POINTS * text + restPoints(asset.lastUsedDays) + FITNESS_POINTS[asset.verdict];
  return {
    ...asset,
    score: Math.round(score),
    reasons: [
      ...terms.map((term, index) => `${worths[index]! > 0 ? 'matches' : 'does not match'} '${term}'`),
      ...(wish.tags ?? []).map((tag) => `tagged '${tag}'`),
      usedReason(asset.lastUsedDays, wish.surface),
      FITNESS_REASONS[asset.verdict],
    ],
  };
}

/** The weight of the best field that contains the term; 0 if none does. There is a space before and after each word. */
function worthOf(term: string, fields: readonly { worth: number; words: string }[]): number {
  let best = 0;
  for (const { worth, words } of fields) {
    if (words.includes(` ${term} `)) return Math.max(best, worth);
    if (words.includes(isFoundAtWordStart(term) ? ` ${term}` : term))
      best = Math.max(best, worth - INSIDE_WORD);
  }
  return best;
}

function restPoints(days: number | null): number {
  if (days === null) return UNUSED_POINTS;
  return REST_POINTS.find(([least]) => days >= least)?.[1] ?? 0;
}

function usedReason(days: number | null, surface: Surface): string {
  if (days === null) return `never used on ${surface}`;
  if (days === 0) return `last used on ${surface} within a day`;
  return `last used on ${surface} ${days === 1 ? '1 day' : `${days} days`} ago`;
}

const FITNESS_REASONS: Record<Verdict, string> = {
  ready: 'ready',
  fixable: 'fixable: use the rendition fit',
  blocked: 'blocked: violates limits of the surface',
};
