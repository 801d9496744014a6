import type { AuditEvent } from './audit-event.js';

/** What users of a client's portal see of the activity: what concerns its library. */
export const ACTIONS_IN_PORTAL = ['asset.', 'folder.', 'trash.', 'upload.'];

/** Everything else, such as who moved something to the trash, stays with the agency. */
const FIELDS_IN_PORTAL = new Set([
  'allowedSurfaces',
  'altText',
  'assetId',
  'assets',
  'batchId',
  'batches',
  'description',
  'durationMs',
  'focalPoint',
  'folderId',
  'folders',
  'height',
  'mimeType',
  'name',
  'originalFilename',
  'parentId',
  'platform',
  'postUrl',
  'postedAt',
  'sizeBytes',
  'tags',
  'takenAt',
  'title',
  'width',
]);

/** The event without anything about the agency, apart from its actor. */
export function inPortal(event: AuditEvent): AuditEvent {
  return { ...event, before: shown(event.before), after: shown(event.after), requestId: null };
}

function shown(values: AuditEvent['before']): AuditEvent['before'] {
  if (values === null) return null;
  const entries = Object.entries(values).filter(([field]) => FIELDS_IN_PORTAL.has(field));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
