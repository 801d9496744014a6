/** Where an asset may be used (specification, section 2). None named means everywhere. */
export const SURFACES = ['website', 'social', 'gbp'] as const;
export type Surface = (typeof SURFACES)[number];

export function isAllowedOn(surface: Surface, allowedSurfaces: readonly Surface[]): boolean {
  return allowedSurfaces.length === 0 || allowedSurfaces.includes(surface);
}
