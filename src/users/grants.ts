import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ClientsRepository } from '../clients/clients.repository.js';
import { Problem } from '../common/errors/problem.js';
import { type Grant, holds, isPortalRole } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { GrantsRepository } from './grants.repository.js';

/** Checks what is about to be granted to a user or an API key. */
@Injectable()
export class Grants {
  constructor(
    private readonly clients: ClientsRepository,
    private readonly repository: GrantsRepository,
  ) {}

  /** Null actor: the service itself, which may grant anything. Inside a transaction its manager must be given. */
  async check(actor: Principal | null, grant: Grant, manager?: EntityManager): Promise<void> {
    if (isPortalRole(grant.role) && grant.clientIds?.length !== 1) {
      throw Problem.validation('clientIds', `must name exactly one client for the role ${grant.role}`);
    }
    // Before asking which clients exist: someone limited to some clients must not learn of others.
    if (actor !== null && !holds(actor, grant)) throw new Problem('grant_not_held');
    const [unknown] = grant.clientIds?.length ? await this.clients.findUnknown(grant.clientIds, manager) : [];
    if (unknown !== undefined) throw Problem.validation('clientIds', `there is no client ${unknown}`);
  }

  /**
   * Makes sure, until the end of the transaction, that the actor still holds what the guard found: otherwise someone who is being
   * deactivated could leave a user or a key behind.
   */
  async holdActor(manager: EntityManager, actor: Principal | null): Promise<void> {
    if (actor === null) return;
    const current = await this.repository.holdCurrent(manager, actor);
    if (current === null) throw new Problem('unauthenticated');
    if (!holds(current, actor)) throw new Problem('grant_not_held');
  }
}
