/** Names of keys and properties that say where something was recorded. */
const NAME = /location|latitude|longitude|gps/i;
/** In XMP, XML and other texts within boxes, where "location" may mean anything. */
const PROPERTY = /latitude|longitude|iso6709|gps[59]/i;
/** A whole text that is a position by ISO 6709, such as `+52.5219+013.4132+034.000/`. */
const POSITION = /^[+-]\d{2,6}(\.\d+)?[+-]\d{3,7}(\.\d+)?([+-]\d+(\.\d+)?)?(CRS\w*)?\/?$/;

export function namesLocation(name: Buffer): boolean {
  return NAME.test(textOf(name));
}

export function mentionsPosition(content: Buffer): boolean {
  return PROPERTY.test(textOf(content));
}

export function isPosition(value: Buffer): boolean {
  return POSITION.test(textOf(value).trim());
}

/** Without zeros, so that UTF-16 reads like ASCII. */
function textOf(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll('\0', '');
}
