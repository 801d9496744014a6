import { isPortalRole } from '../access/permissions.js';
import { firstIdAt } from '../common/ids.js';
import { columnsOf } from '../database/columns.js';
import { DomainEvent } from '../database/entities/domain-event.entity.js';
import { ROLES } from '../database/entities/user.entity.js';

const COLUMNS = columnsOf(DomainEvent, 'found');
/** Ids contain the time at which they were made, a moment before or after `at`. */
const CLOCK_SLACK_MS = 60_000;
const DAY_MS = 86_400_000;

export const PORTAL_ROLES = ROLES.filter(isPortalRole);

/** Who acted: some users and keys, the service itself, or everyone who is not a user of the client's portal. */
export type ActorSelection =
  { readonly ids: readonly string[] } | 'system' | { readonly notOfPortal: string };

/** Which events to find: all conditions hold. Null means any. */
export interface AuditSelection {
  readonly actor: ActorSelection | null;
  readonly actions: readonly string[] | null;
  readonly subject: { readonly kind: string; readonly id: string | null } | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Where to find them: in all clients and outside, in some clients, about one asset, or about people who belong to those clients only. */
export type AuditRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'clients'; readonly clientIds: readonly string[] }
  | { readonly kind: 'asset'; readonly clientId: string; readonly assetId: string }
  | { readonly kind: 'people'; readonly clientIds: readonly string[] };

export interface AuditStatement {
  readonly text: string;
  readonly values: unknown[];
}

/**
 * The newest events before an id. One condition leads: the subject, the actor or the action. Each of its values, in each of the clients, is
 * looked up in an index that is ordered by id, so that rare ones are found as fast as frequent ones; the other conditions filter the result.
 */
export function statementOf(
  range: AuditRange,
  selection: AuditSelection,
  beforeId: string | null,
  take: number,
): AuditStatement {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const lists: string[] = [];
  const where = ['e.actor_kind IS NOT NULL'];
  let order = 'e.id DESC';

  const lookUp = (column: string, type: string, wanted: readonly string[]) => {
    if (wanted.length === 1) {
      where.push(`e.${column} = ${bind(wanted[0])}`);
    } else {
      lists.push(`unnest(${bind(wanted)}::${type}[]) AS wanted_${column}(value)`);
      where.push(`e.${column} = wanted_${column}.value`);
    }
  };

  if (range.kind === 'clients') {
    lookUp('client_id', 'text', range.clientIds);
  } else if (range.kind === 'asset') {
    where.push(
      `e.client_id = ${bind(range.clientId)}`,
      subjectsOfAsset(bind(range.clientId), bind(range.assetId)),
    );
  } else if (range.kind === 'people') {
    const held = bind(range.clientIds);
    lists.push(`(SELECT id::text AS value FROM users WHERE client_ids <@ ${held}::text[]
      UNION ALL SELECT id::text FROM api_keys WHERE client_ids <@ ${held}::text[]) AS person`);
    where.push('e.client_id IS NULL', 'e.subject_id = person.value');
  }

  const { actor, actions, subject, from, to } = selection;
  let hasLead = range.kind === 'asset' || range.kind === 'people';
  if (subject) {
    where.push(`e.subject_kind = ${bind(subject.kind)}`);
    if (subject.id !== null) {
      where.push(`e.subject_id = ${bind(subject.id)}`);
      hasLead = true;
    }
  }
  if (actor === 'system') {
    where.push('e.actor_id IS NULL');
    // Only with its first column is the index known to be in order.
    if (!hasLead) order = 'e.actor_id DESC, e.id DESC';
    hasLead = true;
  } else if (actor !== null && 'notOfPortal' in actor) {
    where.push(`e.actor_id IS NOT NULL AND NOT EXISTS (SELECT FROM users WHERE id = e.actor_id
      AND client_ids = ARRAY[${bind(actor.notOfPortal)}]::text[] AND role = ANY (${bind(PORTAL_ROLES)}::text[]))`);
  } else if (actor !== null && !hasLead) {
    lookUp('actor_id', 'uuid', actor.ids);
    hasLead = true;
  } else if (actor !== null) {
    where.push(`e.actor_id = ANY (${bind(actor.ids)}::uuid[])`);
  }
  if (actions !== null && !hasLead) {
    lookUp('action', 'text', actions);
    hasLead = true;
  } else if (actions !== null) where.push(`e.action = ANY (${bind(actions)}::text[])`);
  if (from)
    where.push(`e.at >= ${bind(from)}`, `e.id >= ${bind(firstIdAt(from.getTime() - CLOCK_SLACK_MS))}`);
  if (to) where.push(`e.at < ${bind(to)}`, `e.id < ${bind(firstIdAt(to.getTime() + CLOCK_SLACK_MS))}`);
  // Changes have random ids, almost all of which come after those of audit events.
  if (range.kind === 'all' && !hasLead) where.push(`e.id < ${bind(firstIdAt(Date.now() + DAY_MS))}`);
  if (beforeId !== null) where.push(`e.id < ${bind(beforeId)}`);

  const limit = bind(take);
  const matching = `SELECT * FROM events e WHERE ${where.join('\n AND ')}`;
  // An asset has few events, so all of them are found by their subjects and then sorted.
  if (range.kind === 'asset')
    return {
      text: `WITH found AS MATERIALIZED (${matching}) SELECT ${COLUMNS} FROM found ORDER BY id DESC LIMIT ${limit}`,
      values,
    };
  const sources = [...lists, `LATERAL (${matching} ORDER BY ${order} LIMIT ${limit}) found`];
  return {
    text: `SELECT ${COLUMNS} FROM ${sources.join(' CROSS JOIN ')} ORDER BY found.id DESC LIMIT ${limit}`,
    values,
  };
}

/** The asset itself, its deliveries, the references that use it, and what it was trashed with. */
function subjectsOfAsset(clientId: string, assetId: string): string {
  return `e.subject_id = ANY (ARRAY(
    SELECT ${assetId}::uuid::text
    UNION ALL SELECT id::text FROM deliveries WHERE client_id = ${clientId} AND asset_id = ${assetId}::uuid
    UNION ALL SELECT kind || '/' || external_id FROM usages WHERE client_id = ${clientId} AND asset_id = ${assetId}::uuid
    UNION ALL SELECT after->>'batchId' FROM events
      WHERE client_id = ${clientId} AND actor_kind IS NOT NULL AND subject_id = ${assetId}::uuid::text AND action = 'asset.trash'))`;
}
