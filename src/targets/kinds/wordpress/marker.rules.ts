/** WordPress appends numbers to the slugs of further uploads with the same slug. */
const NUMBERED_SLUGS = [2, 3, 4, 5];

/** The slug that each attempt requests, to find what an earlier attempt left on a WordPress site. */
export function markerOf(deliveryId: string): string {
  return `cal-${deliveryId.replaceAll('-', '')}`;
}

/** Every slug with which attempts of one delivery can have ended up. */
export function markersOf(deliveryId: string): string[] {
  const marker = markerOf(deliveryId);
  return [marker, ...NUMBERED_SLUGS.map((number) => `${marker}-${number}`)];
}
