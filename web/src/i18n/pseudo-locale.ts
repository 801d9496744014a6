const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = [...'áƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÁƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ'];

/** A compiled message: literals, `#`, and arguments or tags as arrays that begin with their name. */
type Part = string | 0 | readonly [name: string, ...rest: unknown[]];
type Message = string | readonly Part[];

/**
 * Makes texts accented, a third longer and bracketed: a plain text is not in the catalogue, and a text without its
 * closing bracket was cut off. Arguments, plural rules and tags are unchanged.
 */
export function pseudoLocalized<Catalogue>(catalogue: Catalogue): Catalogue {
  if (typeof catalogue === 'string' || Array.isArray(catalogue)) return pseudoMessage(catalogue) as Catalogue;
  return Object.fromEntries(
    Object.entries(catalogue as Record<string, unknown>).map(([key, value]) => [key, pseudoLocalized(value)]),
  ) as Catalogue;
}

function pseudoMessage(message: Message): Message {
  const parts: readonly Part[] = typeof message === 'string' ? [message] : message;
  const letters = parts.reduce<number>((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  const result = ['[', ...pseudoParts(parts), `${'·'.repeat(Math.ceil(letters / 3))}]`];
  return typeof message === 'string' ? result.join('') : result;
}

function pseudoParts(parts: readonly Part[]): Part[] {
  return parts.map((part) =>
    typeof part === 'string' ? accented(part) : part === 0 ? part : pseudoNode(part),
  );
}

function pseudoNode([name, kind, ...rest]: readonly [string, ...unknown[]]): Part {
  if (kind === undefined) return [name];
  if (typeof kind !== 'number' || kind === 0) return [name, ...pseudoParts([kind, ...rest] as Part[])];
  const [options] = rest;
  if (typeof options !== 'object' || options === null) return [name, kind, ...rest];
  const branches = Object.entries(options as Record<string, Message | 0>).map(([key, branch]) => [
    key,
    typeof branch === 'string' ? accented(branch) : branch === 0 ? branch : pseudoParts(branch),
  ]);
  return [name, kind, Object.fromEntries(branches)];
}

function accented(text: string): string {
  return [...text].map((character) => ACCENTED[PLAIN.indexOf(character)] ?? character).join('');
}
