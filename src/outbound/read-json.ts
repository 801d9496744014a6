/** Positions at which JSON may begin after PHP warnings. Limits the work that a malicious response can cause. */
const MAX_STARTS = 20;

/** Parses the JSON of a response, also after PHP warnings. Undefined if there is none. */
export function readJson(body: Buffer): unknown {
  const text = body.toString();
  const whole = parse(text);
  if (whole !== undefined) return whole;
  let start = -1;
  for (let tried = 0; tried < MAX_STARTS; tried++) {
    start = nextStart(text, start + 1);
    if (start < 0) return undefined;
    const value = parse(text.slice(start));
    if (value !== undefined) return value;
  }
  return undefined;
}

function nextStart(text: string, from: number): number {
  const offset = text.slice(from).search(/\{"|\{\}|\[[\]{"]/);
  return offset < 0 ? -1 : from + offset;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
