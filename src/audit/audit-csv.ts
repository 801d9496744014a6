import type { NamedEvent } from './audit.dto.js';

const COLUMNS: readonly (readonly [header: string, cell: (named: NamedEvent) => string | null])[] = [
  ['time', ({ event }) => event.at.toISOString()],
  ['client', ({ event }) => event.clientId],
  ['actorKind', ({ actor }) => actor.kind],
  ['actorId', ({ actor }) => actor.id],
  ['actor', ({ actor }) => actor.name],
  ['action', ({ event }) => event.action],
  ['subjectKind', ({ event }) => event.subjectKind],
  ['subjectId', ({ event }) => event.subjectId],
  ['subject', ({ subject }) => subject.name],
  ['destination', ({ subject }) => subject.targetName],
  ['before', ({ event }) => jsonOf(event.before)],
  ['after', ({ event }) => jsonOf(event.after)],
  ['requestId', ({ event }) => event.requestId],
  ['eventId', ({ event }) => event.id],
];

/** Spreadsheets take a cell that begins like this for a formula. */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;

/** RFC 4180, with a byte order mark, by which Excel recognizes UTF-8. */
export async function* csvOf(batches: AsyncIterable<readonly NamedEvent[]>): AsyncGenerator<string> {
  let text = `\uFEFF${rowOf(COLUMNS.map(([header]) => header))}`;
  for await (const batch of batches) {
    text += batch.map((named) => rowOf(COLUMNS.map(([, cell]) => cell(named)))).join('');
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

export function rowOf(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => cellOf(cell ?? '')).join(',')}\r\n`;
}

function cellOf(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

function jsonOf(values: object | null): string | null {
  return values === null ? null : JSON.stringify(values);
}
