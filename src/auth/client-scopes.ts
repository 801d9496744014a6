import { Injectable } from '@nestjs/common';
import { ClientsRepository } from '../clients/clients.repository.js';
import { Problem } from '../common/errors/problem.js';
import { mayReach } from '../access/permissions.js';
import type { ClientScope, Principal } from '../access/principal.js';

const REMEMBERED = 10_000;

/** Turns a caller into the one client a request is about. What lies outside their clients looks as if it did not exist. */
@Injectable()
export class ClientScopes {
  /** Clients are never deleted, so that one exists stays true. */
  private readonly known = new Set<string>();

  constructor(private readonly clients: ClientsRepository) {}

  async ofClient(actor: Principal, clientId: string): Promise<ClientScope> {
    if (!mayReach(actor, clientId) || !(await this.exists(clientId))) throw new Problem('client_not_found');
    return { clientId, actor };
  }

  ofPortal(actor: Principal): ClientScope {
    const [clientId] = actor.clientIds ?? [];
    if (clientId === undefined) throw new Problem('client_not_found');
    return { clientId, actor };
  }

  private async exists(clientId: string): Promise<boolean> {
    if (this.known.has(clientId)) return true;
    if (!(await this.clients.exists(clientId))) return false;
    if (this.known.size < REMEMBERED) this.known.add(clientId);
    return true;
  }
}
