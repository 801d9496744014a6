import { isPortalRole } from '../access/permissions.js';
import type { Principal } from '../access/principal.js';
import { type ActorDto, AGENCY } from '../audit/audit.dto.js';
import type { Asset } from '../database/entities/asset.entity.js';

export type Creator = Pick<Asset, 'createdByKind' | 'createdById' | 'createdByName'>;

const SYSTEM: Creator = { createdByKind: 'system', createdById: null, createdByName: 'system' };

/** What is stored about who creates an asset. Null is the service itself. */
export function creatorOf(actor: Principal | null): Creator {
  if (actor === null) return SYSTEM;
  const isPortalUser = actor.kind === 'user' && isPortalRole(actor.role);
  return {
    createdByKind: isPortalUser ? 'portal_user' : actor.kind,
    createdById: actor.id,
    createdByName: actor.email ?? actor.name,
  };
}

/** Portal users do not learn who works for the agency, and neither does the page that embeds a picker. */
export function seesAgency({ role, picker }: Principal): boolean {
  return !isPortalRole(role) && !picker;
}

export function creatorFor(viewer: Principal, creator: Creator): ActorDto | null {
  const { createdByKind, createdById, createdByName } = creator;
  if (createdByKind === null) return null;
  if (!seesAgency(viewer) && createdByKind !== 'portal_user')
    return { kind: AGENCY, id: null, name: 'Agency' };
  const kind = createdByKind === 'portal_user' ? 'user' : createdByKind;
  return { kind, id: createdById, name: createdByName! };
}

/** Each of them once, by name. */
export function creatorsFor(viewer: Principal, creators: readonly Creator[]): ActorDto[] {
  const shown = new Map<string | null, ActorDto>();
  for (const creator of creators) {
    const actor = creatorFor(viewer, creator);
    if (actor !== null) shown.set(actor.id, actor);
  }
  return [...shown.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
