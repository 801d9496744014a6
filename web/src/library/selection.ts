/**
 * The selection in a listing: single assets by id or, if a range includes assets that are not loaded, positions:
 * `spans` of the listing except some ids.
 */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly spans: readonly Span[];
  readonly except: ReadonlySet<string>;
  /** The position from which Shift extends the selection. */
  readonly anchor: number | null;
}

export interface Span {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

export type IdAt = (index: number) => string | undefined;

const NOTHING: ReadonlySet<string> = new Set();
export const EMPTY: Selection = { ids: NOTHING, spans: [], except: NOTHING, anchor: null };

export function isChosen(selection: Selection, index: number, id: string | undefined): boolean {
  if (selection.spans.length === 0) return id !== undefined && selection.ids.has(id);
  return isInSpans(selection.spans, index) && !(id !== undefined && selection.except.has(id));
}

export function countChosen({ ids, spans, except }: Selection): number {
  if (spans.length === 0) return ids.size;
  return spans.reduce((sum, { start, end }) => sum + end - start + 1, 0) - except.size;
}

export function chooseOnly(index: number, id: string): Selection {
  return { ...EMPTY, ids: new Set([id]), anchor: index };
}

/** An asset that is not in the listing. */
export function chooseUnlisted(id: string): Selection {
  return { ...EMPTY, ids: new Set([id]) };
}

export function toggle(selection: Selection, index: number, id: string): Selection {
  if (selection.spans.length === 0) {
    const ids = new Set(selection.ids);
    if (!ids.delete(id)) ids.add(id);
    return { ...EMPTY, ids, anchor: index };
  }
  const except = new Set(selection.except);
  if (!isInSpans(selection.spans, index))
    return { ...selection, spans: addSpan(selection.spans, { start: index, end: index }), anchor: index };
  if (!except.delete(id)) except.add(id);
  return { ...selection, except, anchor: index };
}

/** Selects only the range from the last plain click to here. */
export function extendTo(selection: Selection, index: number, idAt: IdAt): Selection {
  const anchor = selection.anchor ?? index;
  const span = { start: Math.min(anchor, index), end: Math.max(anchor, index) };
  return { ...ofSpan(span, idAt), anchor };
}

/** Adds a range to the selection: Ctrl+Shift, or a rubber band. */
export function addRange(selection: Selection, index: number, idAt: IdAt): Selection {
  const anchor = selection.anchor ?? index;
  const range = extendTo(selection, index, idAt);
  if (selection.spans.length === 0 && range.spans.length === 0)
    return { ...EMPTY, ids: new Set([...selection.ids, ...range.ids]), anchor };
  return { ...range, anchor };
}

export function chooseAll(count: number, idAt: IdAt): Selection {
  return count === 0 ? EMPTY : { ...ofSpan({ start: 0, end: count - 1 }, idAt), anchor: 0 };
}

function ofSpan(span: Span, idAt: IdAt): Selection {
  const ids = new Set<string>();
  for (let index = span.start; index <= span.end; index++) {
    const id = idAt(index);
    if (id === undefined) return { ...EMPTY, spans: [span] };
    ids.add(id);
  }
  return { ...EMPTY, ids };
}

function isInSpans(spans: readonly Span[], index: number): boolean {
  return spans.some(({ start, end }) => index >= start && index <= end);
}

/** Spans never touch or overlap, so that they can be counted. */
function addSpan(spans: readonly Span[], added: Span): Span[] {
  const joined = [...spans, added].sort((a, b) => a.start - b.start);
  return joined.reduce<Span[]>((merged, span) => {
    const last = merged.at(-1);
    if (last && span.start <= last.end + 1)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else merged.push(span);
    return merged;
  }, []);
}
