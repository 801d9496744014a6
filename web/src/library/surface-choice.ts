import { type Surface, SURFACES } from '../api/values';

/** The surfaces that a list of the API allows; an empty list allows all. Null: nothing is chosen yet. */
export function surfacesIn(list: readonly Surface[] | null): readonly Surface[] {
  if (list === null) return [];
  return list.length === 0 ? SURFACES : SURFACES.filter((surface) => list.includes(surface));
}

/** The list after a surface was switched on or off. Null for the last one, because an empty list means all. */
export function withSurface(
  list: readonly Surface[] | null,
  surface: Surface,
  isOn: boolean,
): Surface[] | null {
  const before = surfacesIn(list);
  const after = SURFACES.filter((each) => (each === surface ? isOn : before.includes(each)));
  if (after.length === 0) return null;
  return after.length === SURFACES.length ? [] : after;
}
