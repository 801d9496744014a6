import { HTTP } from './http';
import { WORDPRESS } from './wordpress';

/** The only place that knows all kinds of targets, in the order in which they are offered. */
export const KINDS = { wordpress: WORDPRESS, http: HTTP };
export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as Kind[];
