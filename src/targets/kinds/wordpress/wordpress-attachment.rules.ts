import type { OutboundHead } from '../../../outbound/outbound-response.js';
import { textOf, remoteAddress } from '../../target-responses.rules.js';

/** How long WordPress may take to process an upload after its record appears. */
const PROCESSING_MS = 120_000;

/** The fields requested for an attachment. */
export const ATTACHMENT_FIELDS = 'id,slug,source_url,date_gmt,media_type,media_details';

export interface Attachment {
  readonly id: number;
  readonly slug: string;
  readonly url: string | null;
  /** By the site's clock; null if the site does not report it. */
  readonly ageMs: number | null;
  readonly isImage: boolean;
  /** Null until WordPress has processed the file. */
  readonly fileSize: number | null;
  /** Whether WordPress made another file from the upload: rotated, or scaled to its own limit. */
  readonly isDerived: boolean;
  readonly hasSizes: boolean;
}

/** - `complete`: the site has the whole file. `unfinished`: the site may still be processing it. `incomplete`: it will never be completed. */
export type AttachmentState = 'complete' | 'unfinished' | 'incomplete';

/** `sentSizes`: the numbers of bytes that the attempts so far have sent. */
export function stateOf(attachment: Attachment, sentSizes: readonly number[]): AttachmentState {
  const { fileSize, isDerived, ageMs } = attachment;
  // A derived file has a different size, but WordPress makes one only from a complete upload.
  if (isDerived || (fileSize !== null && sentSizes.includes(fileSize))) return 'complete';
  return ageMs !== null && ageMs > PROCESSING_MS ? 'incomplete' : 'unfinished';
}

/** Whether processing ended before the smaller sizes of a picture were made. */
export function lacksSizes({ isImage, hasSizes, ageMs }: Attachment): boolean {
  return isImage && !hasSizes && ageMs !== null && ageMs > PROCESSING_MS;
}

/** The response of the site, and its clock. */
export interface AttachmentSource extends Pick<OutboundHead, 'conceal'> {
  readonly now: Date;
}

/** Null if it is not a list of attachments. */
export function attachmentsIn(json: unknown, source: AttachmentSource): Attachment[] | null {
  if (!Array.isArray(json)) return null;
  const attachments = json.map((item: unknown) => attachmentIn(item, source));
  return attachments.includes(null) ? null : (attachments as Attachment[]);
}

/** Null if it is not an attachment. */
export function attachmentIn(json: unknown, source: AttachmentSource): Attachment | null {
  if (typeof json !== 'object' || json === null) return null;
  const { id, slug, media_details: details } = json as Record<string, unknown>;
  if (!Number.isSafeInteger(id) || (id as number) < 1 || typeof slug !== 'string') return null;
  const { filesize, sizes } = recordOf(details);
  const createdAt = Date.parse(`${textOf(json, 'date_gmt')}Z`);
  return {
    id: id as number,
    slug,
    url: remoteAddress(textOf(json, 'source_url'), source),
    ageMs: Number.isNaN(createdAt) ? null : source.now.getTime() - createdAt,
    isImage: textOf(json, 'media_type') === 'image',
    fileSize: sizeOf(filesize),
    isDerived: textOf(details, 'original_image') !== '',
    hasSizes: Object.keys(recordOf(sizes)).length > 0,
  };
}

/** Some plugins serialize it as text. */
function sizeOf(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(size) && (size as number) > 0 ? (size as number) : null;
}

/** PHP serializes an empty map as a list. */
function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
