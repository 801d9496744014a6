export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text if it is not JSON. */
  readonly body: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Sent as JSON, unless it is text or bytes. */
  body?: unknown;
  signal?: AbortSignal;
}

/** Calls the API as one caller. */
export class Api {
  constructor(
    readonly url: string,
    private readonly credentials: Record<string, string> = {},
  ) {}

  /** The same API as another caller: with an access token or an API key. */
  as(token: string): Api {
    return new Api(this.url, { authorization: `Bearer ${token}` });
  }

  /** The same caller at another process of the service. */
  at(url: string): Api {
    return new Api(url, this.credentials);
  }

  async signIn(user: { email: string; password: string }): Promise<Api> {
    const { status, body } = await this.post('/auth/login', user);
    if (status !== 200)
      throw new Error(`Signing in as ${user.email} returned ${status}: ${JSON.stringify(body)}`);
    return this.as(body.accessToken as string);
  }

  get(path: string, headers?: Record<string, string>): Promise<ApiResponse> {
    return this.request('GET', path, { headers });
  }
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return this.request('POST', path, { body, headers });
  }
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return this.request('PUT', path, { body, headers });
  }
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return this.request('PATCH', path, { body, headers });
  }
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return this.request('DELETE', path, { body, headers });
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const response = await this.fetch(method, path, options);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }

  /** For binary responses. */
  fetch(
    method: string,
    path: string,
    { headers = {}, body, signal }: RequestOptions = {},
  ): Promise<Response> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    return fetch(this.url + path, {
      method,
      redirect: 'manual',
      ...(signal ? { signal } : {}),
      headers: {
        ...this.credentials,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
