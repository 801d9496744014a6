import { domainToUnicode } from 'node:url';

const ENCODED_PART = /(^|\.)xn--/;

function isEncodedHost(hostname: string): boolean {
  return ENCODED_PART.test(hostname);
}

/** The host name in Unicode; null if an `xn--` part cannot be decoded. Node 24 leaves such a part as it is; older versions return nothing. */
export function unicodeHostOf({ hostname }: URL): string | null {
  const decoded = domainToUnicode(hostname);
  return decoded === '' || isEncodedHost(decoded) ? null : decoded;
}
