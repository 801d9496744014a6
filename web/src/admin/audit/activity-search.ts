import { oneOf, textOf } from '../../browser/search-params';

/** What can be done, as people name it, with the actions of the API: an action, or the beginning of several with a dot. */
export const ACTIVITY_KINDS = {
  uploads: ['asset.create', 'asset.adopt', 'upload.'],
  edits: ['asset.update'],
  folders: ['folder.create', 'folder.update'],
  trash: ['asset.trash', 'folder.trash', 'trash.'],
  deliveries: ['delivery.'],
  uses: ['reference.', 'asset.posted'],
  settings: ['client.', 'target.', 'integration.', 'landing_page.'],
  people: ['user.'],
  keys: ['api_key.'],
  signIns: ['sign_in.', 'picker.'],
} as const satisfies Record<string, readonly string[]>;

export type ActivityKind = keyof typeof ACTIVITY_KINDS;

const ALL_KINDS = Object.keys(ACTIVITY_KINDS) as ActivityKind[];
export const KINDS_OF_PLATFORM = ALL_KINDS;
export const KINDS_OF_CLIENT = ALL_KINDS.filter((kind) => !['people', 'keys', 'signIns'].includes(kind));
export const KINDS_OF_PORTAL: readonly ActivityKind[] = ['uploads', 'edits', 'folders', 'trash'];

export interface ActivitySearch {
  kind?: ActivityKind;
  /** Part of a name or email address, or the id of a user or key. */
  who?: string;
  /** The first and the last day, in the time zone of the reader. */
  from?: string;
  to?: string;
  /** A kind of record and an id, such as `folder/…`. */
  about?: string;
}

export function activitySearch(raw: Record<string, unknown>): ActivitySearch {
  return {
    kind: oneOf(ALL_KINDS, raw.kind),
    who: textOf(raw.who)?.slice(0, MAX_WHO),
    from: dayOf(raw.from),
    to: dayOf(raw.to),
    about: textOf(raw.about),
  };
}

export const MAX_WHO = 150;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The parameters of the API. */
export function auditParameters({ kind, who, from, to, about }: ActivitySearch) {
  const name = who?.trim();
  return {
    action: kind && [...ACTIVITY_KINDS[kind]],
    actor:
      name && (ID.test(name) || SHARED_NAMES.has(name.toLowerCase()) ? name.toLowerCase() : `name:${name}`),
    from: from && startOf(from, 0),
    to: to && startOf(to, 1),
    subject: about,
  };
}

/** Names that the list shows for everyone of a kind. */
const SHARED_NAMES = new Set(['agency', 'system']);

function dayOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** When the day, or a later one, begins for the reader. */
function startOf(day: string, daysLater: number): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + daysLater);
  return start.getFullYear() >= 1970 ? start.toISOString() : undefined;
}
