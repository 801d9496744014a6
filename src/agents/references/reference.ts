import type { Surface } from '../../database/entities/asset.entity.js';
import type { ReferenceKind, Usage } from '../../database/entities/usage.entity.js';
import type { ResolvedRef } from '../../assets/agent-assets.js';

/** A post of an agent, with the assets it uses. */
export interface Reference extends ReferenceKey {
  /** At least one: the featured asset first, then the others in order. */
  readonly uses: readonly { readonly usage: Usage; readonly result: ResolvedRef }[];
}

export interface ReferenceKey {
  readonly kind: ReferenceKind;
  readonly externalId: string;
  readonly surface: Surface;
}
