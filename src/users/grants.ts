import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ClientsRepository } from '../clients/clients.repository.js';
import { Problem } from '../common/errors/problem.js';
import { type Grant, canGrant, isPortalRole } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { UsersRepository } from './users.repository.js';

/** Checks whether the actor may grant something to a user or an API key. */
@Injectable()
export class Grants {
  constructor(
    private readonly clients: ClientsRepository,
    private readonly users: UsersRepository,
  ) {}

  /** A null actor is the service itself, which may grant anything. Inside a transaction, pass its manager. */
  async check(actor: Principal | null, grant: Grant, manager?: EntityManager): Promise<void> {
    if (isPortalRole(grant.role) && grant.clientIds?.length !== 1) {
      throw Problem.validation('clientIds', `must name exactly one client for the role ${grant.role}`);
    }
    // Checked before the clients' existence: a caller limited to some clients must not learn about others.
    if (actor !== null && !canGrant(actor, grant)) throw new Problem('grant_not_held');
    const [unknown] = grant.clientIds?.length ? await this.clients.findUnknown(grant.clientIds, manager) : [];
    if (unknown !== undefined) throw Problem.validation('clientIds', `client ${unknown} does not exist`);
  }

  /**
   * Ensures, until the end of the transaction, that the actor still holds what the guard found. Otherwise a caller who is being deactivated
   * could leave a user or a key behind.
   */
  async lockActor(manager: EntityManager, actor: Principal | null): Promise<void> {
    if (actor === null) return;
    const current = await this.users.lockCurrentGrant(actor, manager);
    if (current === null) throw new Problem('unauthenticated');
    if (!canGrant(current, actor)) throw new Problem('grant_not_held');
  }
}
