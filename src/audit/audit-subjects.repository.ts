import { Injectable } from '@nestjs/common';
import { parseAssetRef } from '../common/asset-ref.js';
import { isUuid } from '../common/ids.js';
import { Database } from '../database/database.js';
import { liveAsset, liveFolder } from '../database/live.js';
import type { AuditEvent } from './audit-event.js';

export type SubjectState = 'live' | 'trashed' | 'deleted';

/** What an event is about, as it is now. */
export interface AuditSubject {
  /** The last known name if it has been deleted. */
  readonly name: string | null;
  /** Null if it is in no place of the library, such as an integration. */
  readonly state: SubjectState | null;
  /** The asset to show, which may be in the trash. */
  readonly asset: {
    readonly assetId: string;
    readonly version: number;
    readonly folderId: string | null;
  } | null;
  /** Where a delivery goes. */
  readonly targetName: string | null;
}

/** A record to look up: the subject itself, or the asset or folder that it stands for. */
interface Wanted {
  readonly clientId: string | null;
  readonly kind: string;
  readonly id: string;
}

type Row = Omit<AuditSubject, 'asset'> &
  Wanted & { assetId: string | null; version: number; folderId: string | null };

const SUBJECTS = `
  SELECT wanted.client_id AS "clientId", wanted.kind, wanted.id, a.id AS "assetId", a.version, a.folder_id AS "folderId",
         coalesce(a.title, f.path, CASE WHEN wanted.kind = 'target' THEN t.name END, s.original_filename, u.email, k.name, known.name) AS name,
         CASE WHEN wanted.kind = 'delivery' THEN t.name END AS "targetName",
         CASE WHEN wanted.kind IN ('asset', 'delivery')
                THEN CASE WHEN a.id IS NULL THEN 'deleted' WHEN ${liveAsset('a')} THEN 'live' ELSE 'trashed' END
              WHEN wanted.kind = 'folder'
                THEN CASE WHEN f.path IS NULL THEN 'deleted' WHEN f.is_live THEN 'live' ELSE 'trashed' END
              WHEN wanted.kind = 'target'
                THEN CASE WHEN t.deleted_at IS NULL AND t.id IS NOT NULL THEN 'live' ELSE 'deleted' END
         END AS state
    FROM unnest($1::text[], $2::text[], $3::uuid[]) AS wanted(client_id, kind, id)
    LEFT JOIN deliveries d ON d.client_id = wanted.client_id AND wanted.kind = 'delivery' AND d.id = wanted.id
    LEFT JOIN assets a ON a.client_id = wanted.client_id AND a.id = CASE wanted.kind WHEN 'asset' THEN wanted.id ELSE d.asset_id END
    LEFT JOIN targets t ON t.client_id = wanted.client_id AND t.id = CASE wanted.kind WHEN 'target' THEN wanted.id ELSE d.target_id END
    LEFT JOIN upload_sessions s ON s.client_id = wanted.client_id AND wanted.kind = 'upload_session' AND s.id = wanted.id
    LEFT JOIN users u ON wanted.client_id IS NULL AND wanted.kind = 'user' AND u.id = wanted.id
    LEFT JOIN api_keys k ON wanted.client_id IS NULL AND wanted.kind = 'api_key' AND k.id = wanted.id
    LEFT JOIN LATERAL (
      WITH RECURSIVE path AS (
        SELECT parent_id, name, batch_id, 0 AS level FROM folders
         WHERE client_id = wanted.client_id AND wanted.kind = 'folder' AND id = wanted.id
        UNION ALL
        SELECT parent.parent_id, parent.name, parent.batch_id, path.level + 1 FROM path CROSS JOIN LATERAL (
          SELECT * FROM folders WHERE client_id = wanted.client_id AND id = path.parent_id OFFSET 0) AS parent)
      SELECT string_agg(name, '/' ORDER BY level DESC) AS path, bool_and(${liveFolder('path')}) AS is_live FROM path) f ON true
    LEFT JOIN LATERAL (
      SELECT coalesce(after->>'title', before->>'title', after->>'name', before->>'name') AS name FROM events
       WHERE client_id = wanted.client_id AND actor_kind IS NOT NULL AND subject_id = coalesce(d.asset_id, wanted.id)::text
         AND (after ?| '{title,name}' OR before ?| '{title,name}')
       ORDER BY id DESC LIMIT 1) known ON a.id IS NULL AND f.path IS NULL`;

/** Names what events are about, with one query for all of them. */
@Injectable()
export class AuditSubjectsRepository {
  constructor(private readonly database: Database) {}

  async find(events: readonly AuditEvent[]): Promise<AuditSubject[]> {
    const wanted = new Map<string, Wanted>();
    for (const event of events) {
      const record = recordOf(event);
      if (record) wanted.set(keyOf(record), record);
    }
    const rows = wanted.size === 0 ? [] : await this.findRows([...wanted.values()]);
    const found = new Map(rows.map((row) => [keyOf(row), row]));
    return events.map((event) => {
      const record = recordOf(event);
      return subjectOf(event, record && found.get(keyOf(record)));
    });
  }

  private findRows(wanted: readonly Wanted[]): Promise<Row[]> {
    const clientIds = wanted.map(({ clientId }) => clientId);
    const kinds = wanted.map(({ kind }) => kind);
    const ids = wanted.map(({ id }) => id);
    return this.database.manager.query(SUBJECTS, [clientIds, kinds, ids]);
  }
}

const keyOf = ({ clientId, kind, id }: Wanted): string => `${clientId ?? ''}/${kind}/${id}`;

/** A reference is about its asset, and a restored batch of one asset or folder about that. */
function recordOf({
  clientId,
  subjectKind: kind,
  subjectId: id,
  before,
  after,
}: AuditEvent): Wanted | undefined {
  if (kind === 'reference') {
    const { featuredAssetRef, assetRefs } = after ?? before ?? {};
    const assetId = parseAssetRef(featuredAssetRef ?? (Array.isArray(assetRefs) ? assetRefs[0] : null));
    return assetId === null ? undefined : { clientId, kind: 'asset', id: assetId };
  }
  for (const [restored, field] of [
    ['asset', 'assetId'],
    ['folder', 'folderId'],
  ] as const) {
    const restoredId = kind === 'trash_batch' ? after?.[field] : null;
    if (typeof restoredId === 'string' && isUuid(restoredId))
      return { clientId, kind: restored, id: restoredId };
  }
  return isUuid(id) ? { clientId, kind, id } : undefined;
}

function subjectOf(event: AuditEvent, row: Row | undefined): AuditSubject {
  const { name = null, state = null, targetName = null } = row ?? {};
  return {
    name: name ?? recordedName(event),
    state,
    asset: row?.assetId ? { assetId: row.assetId, version: row.version, folderId: row.folderId } : null,
    targetName,
  };
}

/** The name that the event itself contains, if any. */
function recordedName({ before, after }: AuditEvent): string | null {
  for (const field of ['title', 'name', 'originalFilename', 'email']) {
    const value = after?.[field] ?? before?.[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
