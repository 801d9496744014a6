import { Injectable } from '@nestjs/common';
import { ClientScopes } from '../../auth/client-scopes.js';
import type { ClientScope, Principal } from '../../access/principal.js';
import { Problem } from '../../common/errors/problem.js';
import { decodeCursor, isText, type Page, type PageQuery, toPage } from '../../common/paging/page.js';
import {
  ADS_PROVIDERS,
  type AdsConnection,
  type AdsProvider,
} from '../../database/entities/ads-connection.entity.js';
import type { RecordQuery } from '../record.query.js';
import { clientsToSearch, onlyMatch, requireRecordId } from '../reported-records.js';
import type { ReportConnectionDto } from './ads-connections.dto.js';
import { AdsConnectionsRepository } from './ads-connections.repository.js';

@Injectable()
export class AdsConnectionsService {
  constructor(
    private readonly connections: AdsConnectionsRepository,
    private readonly scopes: ClientScopes,
  ) {}

  async get(actor: Principal, provider: string, id: string, query: RecordQuery): Promise<AdsConnection> {
    const found = await this.connections.find(clientsToSearch(actor, query), knownProvider(provider), id);
    return onlyMatch(found, 'connection_not_found');
  }

  async list(scope: ClientScope, { cursor, limit }: PageQuery): Promise<Page<AdsConnection>> {
    const after = decodeCursor(cursor, isPosition);
    const rows = await this.connections.findPage(scope, after, limit + 1);
    return toPage(rows, limit, ({ provider, id }) => [provider, id]);
  }

  async report(
    actor: Principal,
    provider: string,
    id: string,
    report: ReportConnectionDto,
  ): Promise<AdsConnection> {
    const known = knownProvider(provider);
    requireRecordId('connectionId', id);
    const { clientId } = await this.scopes.ofClient(actor, report.clientId);
    const connection: AdsConnection = {
      provider: known,
      id,
      clientId,
      state: report.state,
      accountId: report.accountId ?? null,
      tokenExpiresAt: report.tokenExpiresAt ?? null,
      detail: report.detail ?? null,
      lastCheckedAt: new Date(),
    };
    await this.connections.put(connection);
    return connection;
  }
}

function knownProvider(provider: string): AdsProvider {
  const known = ADS_PROVIDERS.find((candidate) => candidate === provider);
  if (known === undefined) throw new Problem('connection_not_found', 'Unknown advertising provider.');
  return known;
}

function isPosition(value: unknown): value is [provider: string, id: string] {
  return Array.isArray(value) && value.length === 2 && value.every(isText);
}
