import { Problem } from '../common/errors/problem.js';
import { isEncodedHost, unicodeHostOf } from '../common/http/unicode-host.js';

/** The address to store, or why it is rejected: `invalid` if malformed, `refused` if well-formed but not allowed. */
export type TargetUrl = { readonly url: URL } | { readonly invalid: string } | { readonly refused: string };

export const MAX_URL_LENGTH = 2_000;
/** Far longer than any address; addresses that are too long are reported here. */
export const MAX_ADDRESS_INPUT = 10_000;

/** Parses an address that a person typed or pasted. International names are stored in ASCII form (`xn--…`). */
export function readTargetUrl(text: string): TargetUrl {
  if (text.length > MAX_URL_LENGTH) return { invalid: `must be no longer than ${MAX_URL_LENGTH} characters` };
  // URL would silently drop or replace these.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text))
    return { invalid: 'must not contain spaces, control characters or \\' };
  const url = /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null) return { invalid: 'must be an http or https address' };
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text))
    return { invalid: 'must not contain a user name or password' };
  if (url.hostname.endsWith('.')) return { invalid: 'must not have a host name that ends with a dot' };
  const hostname = unicodeHostOf(url);
  if (hostname === null) return { invalid: 'must not have a host name with an invalid xn-- part' };
  if (isEncodedHost(url.hostname) && isLookAlike(hostname))
    return { refused: 'The host name imitates another one with letters from a different script.' };
  url.hash = '';
  return { url };
}

/** The same for a new target. `path` names the field. */
export function requireTargetUrl(path: string, text: string): URL {
  const read = readTargetUrl(text);
  if ('invalid' in read) throw Problem.validation(path, read.invalid);
  if ('refused' in read) throw new Problem('target_address_not_allowed', read.refused);
  return read.url;
}

/** Names that only consist of Cyrillic or Greek letters that look like Latin ones. */
const LATIN_LOOK_ALIKES = /^(?=.*\p{L})[асԁеһіјӏорԛѕԝхуүѵьαεικνορτυχωγ\d-]+$/u;

/** Scripts that are written together. */
const TOGETHER = [
  ['Latin'],
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
];
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Georgian',
  'Cherokee',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
];
const SCRIPT_PATTERNS = SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const);
const COMMON = /^[\p{Script=Common}\p{Script=Inherited}]$/u;

/** Takes an international name in Unicode. */
function isLookAlike(hostname: string): boolean {
  const labels = hostname.split('.');
  // In a domain of the same script, it imitates nothing.
  const topLevel = scriptsOf(labels.at(-1)!);
  return labels.some((label) => {
    const scripts = scriptsOf(label);
    if (scripts.length > 1 && !TOGETHER.some((set) => scripts.every((script) => set.includes(script))))
      return true;
    return scripts[0] !== topLevel[0] && LATIN_LOOK_ALIKES.test(label);
  });
}

function scriptsOf(label: string): string[] {
  const scripts = new Set<string>();
  for (const character of label) {
    if (COMMON.test(character)) continue;
    scripts.add(SCRIPT_PATTERNS.find(([, pattern]) => pattern.test(character))?.[0] ?? 'other');
  }
  return [...scripts];
}
