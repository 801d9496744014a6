import { type ReferenceKind, SURFACE_OF_KIND, type UsageRole } from '../database/entities/usage.entity.js';

/** Usages in these roles keep an asset from being trashed. */
export const LIVE_ROLES = ['featured', 'attached'] as const satisfies readonly UsageRole[];

export function isReferenceKind(kind: string): kind is ReferenceKind {
  return Object.hasOwn(SURFACE_OF_KIND, kind);
}

/** External ids stand in paths and in logs, so they are plain. */
export const EXTERNAL_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,199}$/;
