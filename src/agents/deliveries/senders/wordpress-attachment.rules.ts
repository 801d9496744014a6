import { textOf, webAddress } from '../target-answers.rules.js';

/** How long WordPress may take to process an upload after its record appeared. */
const PROCESSING_MS = 120_000;

/** What WordPress is asked to send of an attachment. */
export const ATTACHMENT_FIELDS = 'id,slug,source_url,date_gmt,media_type,media_details';

export interface Attachment {
  readonly id: number;
  readonly slug: string;
  readonly url: string | null;
  /** By the site's clock; null when it does not say. */
  readonly ageMs: number | null;
  readonly isImage: boolean;
  /** Null until WordPress has processed the file. */
  readonly fileSize: number | null;
  /** Whether WordPress made another file of what it received: rotated, or scaled by a limit of its own. */
  readonly isDerived: boolean;
  readonly hasSizes: boolean;
}

/** - `complete`: the site has the whole file. `unfinished`: it may still be at work. `torn`: nothing will come of it. */
export type AttachmentState = 'complete' | 'unfinished' | 'torn';

/** `sentSizes`: how many bytes the tries so far have sent. */
export function stateOf(attachment: Attachment, sentSizes: readonly number[]): AttachmentState {
  const { fileSize, isDerived, ageMs } = attachment;
  // A size of its own says nothing about what arrived, but WordPress makes such a file only of a whole one.
  if (isDerived || (fileSize !== null && sentSizes.includes(fileSize))) return 'complete';
  return ageMs !== null && ageMs > PROCESSING_MS ? 'torn' : 'unfinished';
}

/** Whether processing ended before it made the smaller sizes of a picture. */
export function lacksSizes({ isImage, hasSizes, ageMs }: Attachment): boolean {
  return isImage && !hasSizes && ageMs !== null && ageMs > PROCESSING_MS;
}

/** Null when it is not a list of attachments. */
export function attachmentsIn(json: unknown, now: Date): Attachment[] | null {
  if (!Array.isArray(json)) return null;
  const attachments = json.map((item: unknown) => attachmentIn(item, now));
  return attachments.includes(null) ? null : (attachments as Attachment[]);
}

/** Null when it is no attachment. `now`: by the site's clock. */
export function attachmentIn(json: unknown, now: Date): Attachment | null {
  if (typeof json !== 'object' || json === null) return null;
  const { id, slug, media_details: details } = json as Record<string, unknown>;
  if (!Number.isSafeInteger(id) || (id as number) < 1 || typeof slug !== 'string') return null;
  const { filesize, sizes } = recordOf(details);
  const createdAt = Date.parse(`${textOf(json, 'date_gmt')}Z`);
  return {
    id: id as number,
    slug,
    url: webAddress(textOf(json, 'source_url')),
    ageMs: Number.isNaN(createdAt) ? null : now.getTime() - createdAt,
    isImage: textOf(json, 'media_type') === 'image',
    fileSize: Number.isSafeInteger(Number(filesize)) && Number(filesize) > 0 ? Number(filesize) : null,
    isDerived: textOf(details, 'original_image') !== '',
    hasSizes: Object.keys(recordOf(sizes)).length > 0,
  };
}

/** PHP writes an empty map as a list. */
function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
