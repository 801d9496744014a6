import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { AdsConnection, type AdsProvider } from '../../database/entities/ads-connection.entity.js';

@Injectable()
export class AdsConnectionsRepository {
  constructor(private readonly database: Database) {}

  find(provider: AdsProvider, id: string): Promise<AdsConnection | null> {
    return this.database.manager.findOneBy(AdsConnection, { provider, id });
  }

  /** False if the connection belongs to another client: a report never moves it. */
  async put(connection: AdsConnection): Promise<boolean> {
    const { provider, id, clientId, state, accountId, tokenExpiresAt, detail, lastCheckedAt } = connection;
    const rows = await this.database.manager.query<unknown[]>(
      `INSERT INTO ads_connections (provider, id, client_id, state, account_id, token_expires_at, detail, last_checked_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (provider, id) DO UPDATE
         SET state = $4, account_id = $5, token_expires_at = $6, detail = $7, last_checked_at = $8
         WHERE ads_connections.client_id = $3 RETURNING 1`,
      [provider, id, clientId, state, accountId, tokenExpiresAt, detail, lastCheckedAt],
    );
    return rows.length === 1;
  }
}
