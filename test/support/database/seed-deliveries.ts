import { v7 } from 'uuid';
import { query } from '../services/service.js';

/** Inserts a target that nothing is ever sent to. Returns its id. */
export async function seedTarget(databaseUrl: string, clientId: string): Promise<string> {
  const id = v7();
  await query(
    databaseUrl,
    `INSERT INTO targets (id, client_id, kind, name, settings, state)
       VALUES ($1, $2, 'http', $3, '{"url": "http://127.0.0.1:1/", "method": "PUT"}', 'unverified')`,
    [id, clientId, `Endpoint ${id}`],
  );
  return id;
}

export interface SeedDelivery {
  clientId: string;
  assetId: string;
  targetId: string;
  surface?: string;
  status?: 'failed' | 'delivered' | 'queued';
  remoteUrl?: string;
}

/** Inserts a delivery. A queued one is sent if the service has a worker. Returns its id. */
export async function seedDelivery(databaseUrl: string, delivery: SeedDelivery): Promise<string> {
  const { clientId, assetId, targetId, surface = 'website', status = 'failed', remoteUrl = null } = delivery;
  const id = v7();
  await query(
    databaseUrl,
    `INSERT INTO deliveries (id, client_id, asset_id, target_id, surface, rendition, identity, title, alt_text, caption, description,
         status, remote_url, created_by)
       VALUES ($1, $2, $3, $4, $5, 'original', 'original', '', '', '', '', $6, $7, 'x')`,
    [id, clientId, assetId, targetId, surface, status, remoteUrl],
  );
  return id;
}
