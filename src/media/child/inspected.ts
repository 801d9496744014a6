import type { MediaDetails } from '../media.types.js';
import type { FactsOnWire } from '../protocol.js';

export interface Inspected {
  facts: FactsOnWire;
  details: MediaDetails;
}
