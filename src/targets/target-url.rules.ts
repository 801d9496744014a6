import { Problem } from '../common/errors/problem.js';
import { unicodeHostOf } from '../common/http/unicode-host.js';

/** The address to store, or why it is malformed. */
export type TargetUrl = { readonly url: URL } | { readonly invalid: string };

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
  if (unicodeHostOf(url) === null) return { invalid: 'must not have a host name with an invalid xn-- part' };
  url.hash = '';
  return { url };
}

/** The same for a new target. `path` names the field. */
export function requireTargetUrl(path: string, text: string): URL {
  const read = readTargetUrl(text);
  if ('invalid' in read) throw Problem.validation(path, read.invalid);
  return read.url;
}
