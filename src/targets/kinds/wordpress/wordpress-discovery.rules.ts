const RELATION = 'https://api.w.org/';

/** The REST root in a `Link` header (RFC 8288), or null. */
export function linkInHeader(header: string | undefined): string | null {
  for (const [, address, parameters] of (header ?? '')
    .slice(0, 20_000)
    .matchAll(/<([^<>]{1,2000})>([^<]{0,500})/g)) {
    if (/;\s*rel\s*=\s*"?([^";,]*)/i.exec(parameters!)?.[1]?.split(/\s+/).includes(RELATION)) return address!;
  }
  return null;
}

/** The same, in the head of a page. */
export function linkInPage(html: string): string | null {
  for (const [tag] of html.matchAll(/<link\b[^<>]{1,3000}>/gi)) {
    if (attributeOf(tag, 'rel') !== RELATION) continue;
    const address = attributeOf(tag, 'href');
    if (address) return address.replaceAll('&#038;', '&').replaceAll('&amp;', '&');
  }
  return null;
}

function attributeOf(tag: string, name: string): string | null {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  return match ? (match[1] ?? match[2] ?? null) : null;
}

/** The target of a redirect on the same host: another path, or from http to https. Otherwise null. */
export function followedRedirect(from: string, location: string): string | null {
  if (location === '' || !URL.canParse(location, from)) return null;
  const [old, next] = [new URL(from), new URL(location, from)];
  if (next.hostname !== old.hostname || next.username !== '' || next.password !== '') return null;
  const upgraded = old.protocol === 'http:' && next.protocol === 'https:';
  return upgraded || next.origin === old.origin ? next.href : null;
}

/**
 * The REST root in a page if it is on the same host, otherwise null. A site behind a proxy may report http although it uses https, so
 * credentials are sent with the scheme of the page.
 */
export function sameSite(root: URL, page: URL): string | null {
  if (root.hostname !== page.hostname || root.username !== '' || root.password !== '') return null;
  if (root.protocol !== 'http:' && root.protocol !== 'https:') return null;
  if (root.origin === page.origin) return root.href;
  if (root.protocol === page.protocol) return null;
  return root.protocol === 'https:' ? root.href : page.origin + root.pathname + root.search;
}

/** The home address of a WordPress site, from any of its pages, without a trailing slash. */
export function homeOf(url: URL): string {
  const path = url.pathname
    .replace(/\/(wp-admin|wp-login\.php|wp-json|index\.php|xmlrpc\.php)(\/.*)?$/, '')
    .replace(/\/+$/, '');
  return url.origin + path;
}
