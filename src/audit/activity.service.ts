import { Injectable } from '@nestjs/common';
import { isPortalRole } from '../access/permissions.js';
import type { ClientScope, Principal } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { decodeCursor, isUuidText, type Page, toPage } from '../common/paging/page.js';
import { Reads } from '../database/reads.js';
import type { AuditEvent } from './audit-event.js';
import { actionsOf, matchesAction, subjectOf } from './audit-filter.rules.js';
import type { ActorSelection, AuditRange, AuditSelection } from './audit-selection.js';
import { AuditSubjectsRepository } from './audit-subjects.repository.js';
import { type ActorDto, AGENCY, type NamedEvent } from './audit.dto.js';
import type { AuditFilterQuery, AuditQuery } from './audit.query.js';
import { AuditRepository } from './audit.repository.js';
import { ACTIONS_IN_PORTAL, inPortal } from './portal-view.rules.js';

/** Rows of an export that are in memory at the same time. */
const BATCH = 500;
const MAX_ACTORS = 200;

/** The events that a request is about. */
interface Wanted {
  /** Each is searched, and the results are merged. */
  readonly ranges: readonly AuditRange[];
  readonly selection: AuditSelection;
  /** Whose share of the connections is used. */
  readonly reader: string;
  /** Only about this client, and without the agency. */
  readonly portalOf: string | null;
  /** The clients that may be named; null means all. */
  readonly heldClients: readonly string[] | null;
}

/** Who did what, newest first: as much of it as the caller may see. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly subjects: AuditSubjectsRepository,
    private readonly reads: Reads,
  ) {}

  async list(scope: ClientScope, query: AuditQuery): Promise<Page<NamedEvent>> {
    return this.page(await this.inClient(scope, query), query);
  }

  /** Everything in the clients that the caller holds, and about the users and keys that belong to no others. */
  async listAll(actor: Principal, query: AuditFilterQuery): Promise<Page<NamedEvent>> {
    return this.page(await this.inAll(actor, query), query);
  }

  async export(scope: ClientScope, query: AuditQuery): Promise<AsyncIterable<NamedEvent[]>> {
    return this.batches(await this.inClient(scope, query), query);
  }

  async exportAll(actor: Principal, query: AuditFilterQuery): Promise<AsyncIterable<NamedEvent[]>> {
    return this.batches(await this.inAll(actor, query), query);
  }

  private async inClient({ clientId, actor }: ClientScope, query: AuditQuery): Promise<Wanted> {
    const portalOf = isPortalRole(actor.role) ? clientId : null;
    const { assetId } = query;
    const range: AuditRange =
      assetId === undefined
        ? { kind: 'clients', clientIds: [clientId] }
        : { kind: 'asset', clientId, assetId };
    const selection = await this.selectionOf(query, portalOf);
    return { ranges: [range], selection, reader: clientId, portalOf, heldClients: actor.clientIds };
  }

  private async inAll({ id, clientIds }: Principal, query: AuditFilterQuery): Promise<Wanted> {
    const ranges: AuditRange[] =
      clientIds === null
        ? [{ kind: 'all' }]
        : [
            { kind: 'clients', clientIds },
            { kind: 'people', clientIds },
          ];
    const selection = await this.selectionOf(query, null);
    return { ranges, selection, reader: id, portalOf: null, heldClients: clientIds };
  }

  private async selectionOf(query: AuditFilterQuery, portalOf: string | null): Promise<AuditSelection> {
    return {
      actor: await this.actorOf(query.actor, portalOf),
      actions: await this.actionsOf(query.action, portalOf),
      subject: query.subject === undefined ? null : subjectOf(query.subject),
      from: query.from ?? null,
      to: query.to ?? null,
    };
  }

  private async actorOf(wanted: string | undefined, portalOf: string | null): Promise<ActorSelection | null> {
    if (wanted === undefined) return null;
    if (wanted === 'system') return 'system';
    if (wanted === AGENCY) return portalOf === null ? { ids: [] } : { notOfPortal: portalOf };
    if (wanted.startsWith('name:'))
      return { ids: await this.actorsNamed(wanted.slice('name:'.length), portalOf) };
    const isHidden = portalOf !== null && (await this.portalUsers(portalOf, [wanted])).size === 0;
    return { ids: isHidden ? [] : [wanted] };
  }

  private async actorsNamed(text: string, portalOf: string | null): Promise<string[]> {
    const ids = await (portalOf === null
      ? this.repository.findActorIds(text, MAX_ACTORS + 1)
      : this.repository.findPortalActorIds({ clientId: portalOf }, text, MAX_ACTORS + 1));
    if (ids.length > MAX_ACTORS)
      throw Problem.validation('actor', `matches more than ${MAX_ACTORS} users and API keys`);
    return ids;
  }

  private async actionsOf(wanted: string[] | undefined, portalOf: string | null): Promise<string[] | null> {
    if (wanted === undefined && portalOf === null) return null;
    const patterns = wanted ?? ACTIONS_IN_PORTAL;
    const hasPrefix = patterns.some((pattern) => pattern.endsWith('.'));
    const actions = actionsOf(patterns, hasPrefix ? await this.repository.findActions() : []);
    if (portalOf === null) return actions;
    return actions.filter((action) => ACTIONS_IN_PORTAL.some((shown) => matchesAction(action, shown)));
  }

  private async page(wanted: Wanted, { cursor, limit }: AuditFilterQuery): Promise<Page<NamedEvent>> {
    const rows = await this.find(wanted, decodeCursor(cursor, isUuidText), limit + 1);
    const { items, nextCursor } = toPage(rows, limit, (event) => event.id);
    return { items: await this.named(wanted, items), nextCursor };
  }

  /** Holds no connection while the caller reads what was found. */
  private async *batches(wanted: Wanted, { cursor }: AuditFilterQuery): AsyncGenerator<NamedEvent[]> {
    let before = decodeCursor(cursor, isUuidText);
    for (;;) {
      const rows = await this.find(wanted, before, BATCH);
      if (rows.length > 0) yield await this.named(wanted, rows);
      if (rows.length < BATCH) return;
      before = rows.at(-1)!.id;
    }
  }

  private async find(
    { ranges, selection, reader }: Wanted,
    before: string | null,
    take: number,
  ): Promise<AuditEvent[]> {
    const isFiltered = Object.values(selection).some((condition) => condition !== null);
    const found = await this.reads.run(reader, isFiltered ? 'heavy' : 'light', async (queries) => {
      const events: AuditEvent[] = [];
      for (const range of ranges)
        events.push(...(await this.repository.find(range, selection, before, take, queries)));
      return events;
    });
    if (ranges.length === 1) return found;
    return found.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, take);
  }

  private async named({ portalOf, heldClients }: Wanted, events: AuditEvent[]): Promise<NamedEvent[]> {
    const actorIds = [...new Set(events.flatMap(({ actorId }) => actorId ?? []))];
    const ownUsers = portalOf === null ? null : await this.portalUsers(portalOf, actorIds);
    const subjects = await this.subjects.find(events);
    return events.map((event, index) => ({
      event: portalOf === null ? withinHeld(event, heldClients) : inPortal(event),
      actor: ownUsers === null || isShown(event, ownUsers) ? actorOf(event) : THE_AGENCY,
      subject: subjects[index]!,
    }));
  }

  private async portalUsers(clientId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.repository.findPortalUsers({ clientId }, ids));
  }
}

const THE_AGENCY: ActorDto = { kind: AGENCY, id: null, name: 'Agency' };

function actorOf({ actorKind, actorId, actorName }: AuditEvent): ActorDto {
  return { kind: actorKind, id: actorId, name: actorName };
}

function isShown({ actorKind, actorId }: AuditEvent, ownUsers: ReadonlySet<string>): boolean {
  return actorKind === 'system' || (actorId !== null && ownUsers.has(actorId));
}

/** A user or key may have belonged to clients of which the caller does not know. */
function withinHeld(event: AuditEvent, held: readonly string[] | null): AuditEvent {
  if (held === null) return event;
  const known = (values: AuditEvent['before']) => {
    const ids = values?.['clientIds'];
    return Array.isArray(ids)
      ? { ...values, clientIds: ids.filter((id) => held.includes(id as string)) }
      : values;
  };
  return { ...event, before: known(event.before), after: known(event.after) };
}
