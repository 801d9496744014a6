import type { User } from '../database/entities/user.entity.js';

/** Where the proof was sent from. */
export interface SignInOrigin {
  readonly address: string;
  /** The cookie that an earlier sign-in stored in the browser, or null. */
  readonly deviceToken: string | null;
  /** How the browser or program describes itself, or null. */
  readonly userAgent: string | null;
}

export interface Proof {
  readonly user: User;
  /** Whether the proof is still valid for the current user: the password may have changed since. */
  holds(current: User): boolean;
}

/** A way for users to prove who they are. Sign-ins, tokens and cookies do not depend on it. */
export interface SignInMethod<Credentials> {
  /** Throws `invalid_credentials` without revealing whether the user exists or has this method. */
  prove(credentials: Credentials, origin: SignInOrigin): Promise<Proof>;
}
