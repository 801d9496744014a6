export interface WordPressSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The address of the site's REST API; null until it is discovered. */
  readonly restRoot: string | null;
  readonly username: string;
}

export interface WordPressConnection extends WordPressSettings {
  readonly applicationPassword: string;
}

export function authorizationOf({
  username,
  applicationPassword,
}: WordPressConnection): Record<string, string> {
  const basic = Buffer.from(`${username}:${applicationPassword}`).toString('base64');
  return { authorization: `Basic ${basic}` };
}
