import type { TargetKind } from '../../database/entities/target.entity.js';
import { HTTP } from './http/http.kind.js';
import type { KindDefinition } from './kind-definition.js';
import { WORDPRESS } from './wordpress/wordpress.kind.js';

/** The only place that knows all kinds. */
export const KINDS: Readonly<Record<TargetKind, KindDefinition>> = {
  wordpress: WORDPRESS,
  http: HTTP,
};
