import { Injectable } from '@nestjs/common';
import { ClientsRepository } from '../clients/clients.repository.js';
import { Problem } from '../common/errors/problem.js';
import { type Grant, holds, isPortalRole } from '../auth/permissions.js';
import type { Principal } from '../auth/principal.js';

/** Checks what is about to be granted to a user or an API key. */
@Injectable()
export class Grants {
  constructor(private readonly clients: ClientsRepository) {}

  /** Null actor: the service itself, which may grant anything. */
  async check(actor: Principal | null, grant: Grant): Promise<void> {
    if (isPortalRole(grant.role) && grant.clientIds?.length !== 1) {
      throw Problem.validation('clientIds', `must name exactly one client for the role ${grant.role}`);
    }
    // Before asking which clients exist: someone limited to some clients must not learn of others.
    if (actor !== null && !holds(actor, grant)) throw new Problem('grant_not_held');
    const [unknown] = grant.clientIds?.length ? await this.clients.findUnknown(grant.clientIds) : [];
    if (unknown !== undefined) throw Problem.validation('clientIds', `there is no client ${unknown}`);
  }
}
