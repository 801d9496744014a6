/** The address of a REST route. With plain permalinks, the route is a query parameter of the root. */
export function restUrl(root: string, route: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(root);
  const plain = url.searchParams.get('rest_route');
  if (plain === null) url.pathname = withSlash(url.pathname) + route;
  else url.searchParams.set('rest_route', withSlash(plain) + route);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  // Readable in the site's logs, and some firewalls reject encoded slashes.
  url.search = url.search.replaceAll('%2F', '/');
  return url.href;
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
