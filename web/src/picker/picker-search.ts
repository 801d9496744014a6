import { type Surface, SURFACES } from '../api/values';
import { flagOf, oneOf, textOf } from '../browser/search-params';

export interface PickerSearch {
  surface?: Surface;
  multiple?: boolean;
  clientId?: string;
  origin?: string;
}

export function pickerSearch(raw: Record<string, unknown>): PickerSearch {
  return {
    surface: oneOf(SURFACES, raw.surface),
    multiple: flagOf(raw.multiple),
    clientId: textOf(raw.clientId),
    origin: textOf(raw.origin),
  };
}
