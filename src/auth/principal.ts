import type { Grant } from './permissions.js';

/** Who is calling, as the guard found it in the database for this very request. */
export interface Principal extends Grant {
  readonly kind: 'user' | 'api_key';
  readonly id: string;
  readonly name: string;
  /** Null for API keys. */
  readonly email: string | null;
  /** The sign-in an access token belongs to; null for API keys. */
  readonly signInId: string | null;
}

/** One client, and who acts on it. Services take this and never ask which side called. */
export interface ClientScope {
  readonly clientId: string;
  readonly actor: Principal;
}

declare module 'express-serve-static-core' {
  interface Request {
    principal?: Principal;
    scope?: ClientScope;
  }
}
