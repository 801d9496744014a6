import type { Surface } from '../database/entities/asset.entity.js';
import type { Grant } from './permissions.js';

/** The caller, as found by the guard in the database or in the cache. A picker acts as the user or API key that made its token. */
export interface Principal extends Grant {
  readonly kind: 'user' | 'api_key';
  readonly id: string;
  readonly name: string;
  /** Null for API keys. */
  readonly email: string | null;
  /** The surfaces an API key or a picker is limited to. Null means all, as for every user. */
  readonly surfaces: readonly Surface[] | null;
  /** The sign-in of the access token, or of the picker's maker; null for API keys. */
  readonly signInId: string | null;
}

/** An active caller, and how long the result stays valid if nothing changes. */
export interface ActiveCaller {
  readonly principal: Principal;
  readonly secondsLeft: number;
}

/** One client and the actor. Services take this and do not know whether the admin or the portal side called. */
export interface ClientScope {
  readonly clientId: string;
  readonly actor: Principal;
}

/** A client by its id: all that a repository needs of a scope. Records of a client have it too. */
export type InClient = Pick<ClientScope, 'clientId'>;

declare module 'express-serve-static-core' {
  interface Request {
    principal?: Principal;
    scope?: ClientScope;
  }
}
