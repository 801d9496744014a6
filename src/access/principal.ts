import type { Surface } from '../database/entities/asset.entity.js';
import type { Grant } from './permissions.js';

/** Who is calling, as the guard found it in the database, or in memory as long as nothing has changed there. */
export interface Principal extends Grant {
  readonly kind: 'user' | 'api_key';
  readonly id: string;
  readonly name: string;
  /** Null for API keys. */
  readonly email: string | null;
  /** The surfaces an API key is limited to; null: all of them, as for every user. */
  readonly surfaces: readonly Surface[] | null;
  /** The sign-in an access token belongs to; null for API keys. */
  readonly signInId: string | null;
}

/** A caller who is active now, and for how long at most if nothing changes. */
export interface ActiveCaller {
  readonly principal: Principal;
  readonly secondsLeft: number;
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
