/** SQL for an asset that is allowed on one of the surfaces in a parameter, a `text[]`. Without any of its own, it is allowed on all. */
export const allowedOn = (surfaces: string, assets = 'assets'): string =>
  `(${assets}.allowed_surfaces = '{}' OR ${assets}.allowed_surfaces && ${surfaces}::text[])`;
