import { createHash } from 'node:crypto';
import { type ReferenceKind, SURFACE_OF_KIND, type UsageRole } from '../database/entities/usage.entity.js';

/** Usages in these roles prevent trashing an asset. */
export const LIVE_ROLES = ['featured', 'attached'] as const satisfies readonly UsageRole[];

export function isReferenceKind(kind: string): kind is ReferenceKind {
  return Object.hasOwn(SURFACE_OF_KIND, kind);
}

/** External ids appear in paths and logs, so only plain characters are allowed. */
export const EXTERNAL_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,199}$/;

/** A post by its address. */
export function postIdOf(postUrl: string): string {
  return `post-${createHash('sha256').update(new URL(postUrl).href).digest('hex').slice(0, 32)}`;
}
