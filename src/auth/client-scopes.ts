import { Injectable } from '@nestjs/common';
import { ClientsRepository } from '../clients/clients.repository.js';
import { Problem } from '../common/errors/problem.js';
import { effectivePermissions, type Grant, hasAccessTo } from '../access/permissions.js';
import type { ClientScope, Principal } from '../access/principal.js';

const REMEMBERED = 10_000;

/** Determines the client of a request. Clients that the caller has no access to appear not to exist. */
@Injectable()
export class ClientScopes {
  /** Clients are never deleted, so the result can be cached. */
  private readonly known = new Set<string>();

  constructor(private readonly clients: ClientsRepository) {}

  async ofClient(actor: Principal, clientId: string): Promise<ClientScope> {
    if (!hasAccessTo(actor, clientId) || !(await this.exists(clientId)))
      throw new Problem('client_not_found');
    return { clientId, actor };
  }

  ofPortal(actor: Principal): ClientScope {
    const [clientId] = actor.clientIds ?? [];
    if (clientId === undefined) throw new Problem('client_not_found');
    return { clientId, actor };
  }

  /** The client whose portal someone uses. Null on the admin side. */
  async portalNameOf(holder: Grant): Promise<string | null> {
    if (!effectivePermissions(holder).has('portal:access')) return null;
    const [clientId = ''] = holder.clientIds ?? [];
    return (await this.clients.findById(clientId))?.name ?? null;
  }

  private async exists(clientId: string): Promise<boolean> {
    if (this.known.has(clientId)) return true;
    if (!(await this.clients.exists(clientId))) return false;
    if (this.known.size < REMEMBERED) this.known.add(clientId);
    return true;
  }
}
