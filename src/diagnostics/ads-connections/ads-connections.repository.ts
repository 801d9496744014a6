import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import type { InClient } from '../../access/principal.js';
import { Database } from '../../database/database.js';
import { AdsConnection, type AdsProvider } from '../../database/entities/ads-connection.entity.js';
import { type ClientIds, MAX_MATCHES } from '../reported-records.js';

@Injectable()
export class AdsConnectionsRepository {
  constructor(private readonly database: Database) {}

  /** One for each client that uses the id. */
  find(clientIds: ClientIds, provider: AdsProvider, id: string): Promise<AdsConnection[]> {
    return this.database.manager.find(AdsConnection, {
      where: { provider, id, clientId: clientIds === null ? Not(IsNull()) : In(clientIds) },
      order: { clientId: 'ASC' },
      take: MAX_MATCHES,
    });
  }

  findPage(
    { clientId }: InClient,
    after: readonly [provider: string, id: string] | null,
    take: number,
  ): Promise<AdsConnection[]> {
    return this.database.manager
      .createQueryBuilder(AdsConnection, 'connection')
      .where('connection.client_id = :clientId', { clientId })
      .andWhere(after === null ? {} : '(connection.provider, connection.id) > (:provider, :id)', {
        provider: after?.[0],
        id: after?.[1],
      })
      .orderBy('connection.provider')
      .addOrderBy('connection.id')
      .take(take)
      .getMany();
  }

  async put(connection: AdsConnection): Promise<void> {
    const { provider, id, clientId, state, accountId, tokenExpiresAt, detail, lastCheckedAt } = connection;
    await this.database.manager.query(
      `INSERT INTO ads_connections (provider, id, client_id, state, account_id, token_expires_at, detail, last_checked_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (provider, id, client_id) DO UPDATE
         SET state = $4, account_id = $5, token_expires_at = $6, detail = $7, last_checked_at = $8`,
      [provider, id, clientId, state, accountId, tokenExpiresAt, detail, lastCheckedAt],
    );
  }
}
