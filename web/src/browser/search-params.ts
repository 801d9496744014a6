/** URLs contain plain parameters, such as `?tags=a&tags=b&used=true`, not JSON. */
export type RawSearch = Record<string, string | string[]>;

export function parseSearch(text: string): RawSearch {
  const search = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const earlier = search.get(name);
    search.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(search);
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '') continue;
    for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each));
  }
  const text = params.toString();
  return text ? `?${text}` : '';
}

// A URL can contain anything: each reader ignores a value that is not one of its own.

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function textsOf(value: unknown): string[] | undefined {
  const texts = [value].flat().filter((each): each is string => textOf(each) !== undefined);
  return texts.length > 0 ? texts : undefined;
}

export function flagOf(value: unknown): boolean | undefined {
  return value === 'true' || value === true ? true : value === 'false' || value === false ? false : undefined;
}

export function oneOf<const Value extends string>(
  values: readonly Value[],
  value: unknown,
): Value | undefined {
  return values.find((each) => each === value);
}

/** A whole number. */
export function numberOf(value: unknown): number | undefined {
  return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined;
}
