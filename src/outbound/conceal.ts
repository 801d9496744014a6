/** Removes the credentials of a request from a text of its response. */
export type Conceal = (text: string) => string;

const MARK = '[hidden]';
/** A part of this many letters and digits is recognized too: pages wrap and truncate what they repeat. */
const PART_LENGTH = 8;
/** Shorter ones are no secrets, and would hide half of every sentence. */
const MIN_LENGTH = 3;
const FIRST_NON_ASCII = 0x80;
/** As in URLs, and as in JSON or in JSON within JSON. */
const ENCODED = /%([\da-f]{2})|\\{1,8}u([\da-f]{4})/iy;

/**
 * For the credentials in this `Authorization` header. Some servers repeat it in their error pages. It is found as sent, as Base64 of
 * itself or within something else, URL-encoded, escaped as in JSON, and whatever the page puts between its letters and digits.
 */
export function concealing(authorization: string | undefined): Conceal {
  if (authorization === undefined) return (text) => text;
  const secrets = secretsIn(authorization);
  let parts: Map<number, Set<string>> | null = null;
  return (text) => {
    parts ??= partsOf(secrets);
    return withoutParts(withoutWhole(text, secrets), parts);
  };
}

function secretsIn(authorization: string): string[] {
  const token = authorization.slice(authorization.indexOf(' ') + 1);
  if (!/^basic /i.test(authorization)) return [token];
  const pair = Buffer.from(token, 'base64').toString();
  const password = pair.slice(pair.indexOf(':') + 1);
  // WordPress ignores the blanks in an application password, and may repeat it without them.
  return [token, password, password.replace(/\s/g, '')];
}

/** For secrets that consist of punctuation. */
function withoutWhole(text: string, secrets: readonly string[]): string {
  let rest = text;
  for (const secret of secrets) {
    if (secret.length < MIN_LENGTH) continue;
    rest = rest.replaceAll(secret, MARK).replaceAll(encodeURIComponent(secret.toWellFormed()), MARK);
  }
  return rest;
}

function withoutParts(text: string, parts: ReadonlyMap<number, ReadonlySet<string>>): string {
  const source = Buffer.from(text);
  const { kept, from, to } = lettersAndDigits(source);
  const isHidden = new Uint8Array(kept.length);
  for (const [length, known] of parts)
    for (let at = 0; at + length <= kept.length; at++)
      if (known.has(kept.slice(at, at + length))) isHidden.fill(1, at, at + length);
  let result = '';
  let end = 0;
  for (let at = 0; at < kept.length; at++) {
    if (isHidden[at] === 0) continue;
    const isContinued = at > 0 && isHidden[at - 1] === 1;
    if (!isContinued) result += source.toString('utf8', end, from[at]) + MARK;
    end = to[at]!;
  }
  return end === 0 ? text : (result + source.toString('utf8', end)).replaceAll('\ufffd', '');
}

function partsOf(secrets: readonly string[]): Map<number, Set<string>> {
  const parts = new Map<number, Set<string>>();
  for (const form of secrets.flatMap(formsOf)) {
    const length = Math.min(form.length, PART_LENGTH);
    if (length < MIN_LENGTH) continue;
    const known = parts.get(length) ?? new Set();
    for (let at = 0; at + length <= form.length; at++) known.add(form.slice(at, at + length));
    parts.set(length, known);
  }
  return parts;
}

function formsOf(secret: string): string[] {
  // The letters of the Base64 of a longer text depend on where in it the secret begins.
  const encoded = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const own = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return bytes.toString('base64').slice(...own);
  });
  const asSent = encodeURIComponent(secret.toWellFormed());
  return [secret, asSent, ...encoded].map((form) => lettersAndDigits(Buffer.from(form)).kept);
}

/** The letters and digits of a text, decoded, as bytes, and where each one is. */
function lettersAndDigits(source: Buffer): { kept: string; from: number[]; to: number[] } {
  const kept: number[] = [];
  const [from, to]: [number[], number[]] = [[], []];
  const text = source.toString('latin1');
  for (let at = 0; at < source.length;) {
    ENCODED.lastIndex = at;
    const [{ length } = { length: 1 }, percent, escaped] = ENCODED.exec(text) ?? [];
    const next = at + length;
    const bytes =
      escaped === undefined
        ? [percent === undefined ? source[at]! : parseInt(percent, 16)]
        : Buffer.from(String.fromCharCode(parseInt(escaped, 16)));
    for (const byte of bytes) {
      if (byte < FIRST_NON_ASCII && !/[0-9a-z]/i.test(String.fromCharCode(byte))) continue;
      kept.push(byte);
      from.push(at);
      to.push(next);
    }
    at = next;
  }
  return { kept: Buffer.from(kept).toString('latin1'), from, to };
}
