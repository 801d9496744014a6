import type { Surface } from '../assets/surface.rules.js';

/** What agents publish, and the surface each belongs to (specification, section 4). */
export const SURFACE_OF_KIND = {
  seo_post: 'website',
  website_change: 'website',
  social_post: 'social',
  gbp_update: 'gbp',
} as const satisfies Record<string, Surface>;

export type ReferenceKind = keyof typeof SURFACE_OF_KIND;
export const REFERENCE_KINDS = Object.keys(SURFACE_OF_KIND) as ReferenceKind[];

/** A `delivery` names its delivery as the external id. */
export type UsageKind = ReferenceKind | 'delivery';

/** `featured` and `attached` make up a reference; `posted` and `delivered` are history. */
export const USAGE_ROLES = ['featured', 'attached', 'posted', 'delivered'] as const;
export type UsageRole = (typeof USAGE_ROLES)[number];

/** Usages in these roles keep an asset from being trashed. */
export const LIVE_ROLES = ['featured', 'attached'] as const satisfies readonly UsageRole[];

export function isReferenceKind(kind: string): kind is ReferenceKind {
  return Object.hasOwn(SURFACE_OF_KIND, kind);
}

/** External ids stand in paths and in logs, so they are plain. */
export const EXTERNAL_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,199}$/;
