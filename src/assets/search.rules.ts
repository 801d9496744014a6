/** Everything a search looks at, folded to plain lower-case words, so that it means the same under any database locale. */
export function searchTextOf(asset: {
  title: string;
  description: string;
  altText: string;
  tags: readonly string[];
  originalFilename: string;
}): string {
  return words(
    [asset.title, asset.description, asset.altText, ...asset.tags, asset.originalFilename].join(' '),
  ).join(' ');
}

const MAX_TERMS = 10;

/** The words of a query; each must be found, in whole or as a part. */
export function searchTerms(query: string): string[] {
  return [...new Set(words(query))].slice(0, MAX_TERMS);
}

/** Without case, accents and punctuation: `Café_Été-01.JPG` is `cafe ete 01 jpg`. */
function words(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{So}]+/u)
    .filter((word) => word !== '');
}
