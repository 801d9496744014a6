import type { User } from '../database/entities/user.entity.js';

export interface DescribedUser {
  readonly user: User;
  /** Of the invitation, while it can still be accepted. */
  readonly linkExpiresAt: Date | null;
}
