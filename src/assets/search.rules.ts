import { withoutMediaExtension } from '../media/file-types.js';

/** The searchable text: plain lower-case words, so that a search gives the same result with any database locale. */
export function searchTextOf(asset: {
  title: string;
  description: string;
  altText: string;
  tags: readonly string[];
  originalFilename: string;
}): string {
  const { title, description, altText, tags, originalFilename } = asset;
  const texts = [title, description, altText, ...tags, withoutMediaExtension(originalFilename)];
  return texts.flatMap(searchWords).join(' ');
}

const MAX_TERMS = 10;

/** The words of a query. Each must match, completely or in part. */
export function searchTerms(query: string): string[] {
  const text = query.split(/\s+/).map(withoutMediaExtension).join(' ');
  return [...new Set(searchWords(text))].slice(0, MAX_TERMS);
}

/** Korean syllables consist of up to three letters. A few characters stand for whole words, up to 18 letters. */
const MAX_GROWTH = 3;

/** Without case, accents and punctuation: `Café_Été-01` becomes `cafe ete 01`. */
export function searchWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .slice(0, text.length * MAX_GROWTH)
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{So}]+/u)
    .filter((word) => word !== '');
}
