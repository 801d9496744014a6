import type { User } from '../database/entities/user.entity.js';

/** Where the proof was sent from. */
export interface SignInOrigin {
  readonly address: string;
  /** The cookie that an earlier sign-in stored in the browser, or null. */
  readonly deviceToken: string | null;
}

export interface Proof {
  readonly user: User;
  /** Whether it still proves who the user is, as they are now: a password may have changed since. */
  holds(current: User): boolean;
}

/** A way to prove who one is. What comes after it (sign-ins, tokens, cookies) is the same for all of them. */
export interface SignInMethod<Credentials> {
  /** Throws `invalid_credentials` without revealing whether the user exists or has this method. */
  prove(credentials: Credentials, origin: SignInOrigin): Promise<Proof>;
}
