import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../../../src/common/errors/catalogue';

const FOLDER = join(__dirname, 'en');

/** Words of the API and of the code, and words with another spelling, with what people read instead. */
const RETIRED: readonly (readonly [RegExp, instead: string])[] = [
  [/\bsurfaces?\b/i, '“Where it may be used”, or its name: “Website”'],
  [/\bSocial\b(?! (media|agent|post))/, '“Social media”; only the agent and its posts are called “Social”'],
  [/\bgbp\b|\bGoogle (My )?Business\b/i, '“Business Profile”'],
  [/\btargets?\b/i, '“destination”'],
  [/\bfixable\b/i, '“After resizing”'],
  [/\bfitted\b|\bfit version\b|\brenditions?\b/i, '“resized copy”'],
  [/\breferences?\b/i, '“Used in” for a post that uses an asset, “Asset ID” for its name'],
  [/\baudit\b/i, '“Activity”'],
  [/\be-mail/i, '“email”'],
];

interface Texts {
  readonly [key: string]: string | Texts;
}

function* textsIn(texts: Texts, path: string): Generator<readonly [path: string, text: string]> {
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === 'string') yield [`${path}.${key}`, value];
    else yield* textsIn(value, `${path}.${key}`);
  }
}

const all = readdirSync(FOLDER).flatMap((file) => [
  ...textsIn(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Texts, file.replace('.json', '')),
]);

/** The titles of the errors. Only agents look up references, so only they read about one that does not exist. */
const titles = Object.entries(CATALOGUE)
  .map(([code, [, title]]) => [`errors.${code}`, title] as const)
  .filter(([path]) => path !== 'errors.reference_not_found');

/** A text without the names of its parameters, which nobody reads. */
const readable = (text: string) => text.replace(/\{\w+(?=[,}])/g, '{');

describe('The texts of the pages and the titles of errors', () => {
  it.each(RETIRED)('do not contain %s, but %s', (word) => {
    expect(all.length).toBeGreaterThan(500);
    expect([...all, ...titles].filter(([, text]) => word.test(readable(text)))).toEqual([]);
  });
});
