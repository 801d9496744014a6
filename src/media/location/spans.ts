export interface Span {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** The parts of `spans` that are within `others`, in order and merged. */
export function intersection(spans: readonly Span[], others: readonly Span[]): Span[] {
  const result: Span[] = [];
  const bounds = merged(others);
  let index = 0;
  for (const { start, end } of merged(spans)) {
    while (index < bounds.length && bounds[index]!.end <= start) index += 1;
    for (let at = index; at < bounds.length && bounds[at]!.start < end; at += 1)
      result.push({ start: Math.max(start, bounds[at]!.start), end: Math.min(end, bounds[at]!.end) });
  }
  return result;
}

function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end)
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else result.push(span);
  }
  return result;
}
