import type { OutboundClient } from '../../../outbound/outbound-client.js';
import type { OutboundResponse } from '../../../outbound/outbound-response.js';
import { OutboundError } from '../../../outbound/outbound-error.js';
import type { KindServices } from '../kind-definition.js';
import { authorizationOf, type WordPressConnection } from './wordpress-connection.js';
import { readJson } from '../../../outbound/read-json.js';
import { restUrl } from './wordpress-rest.js';
import { DeliveryError } from '../../delivery-error.js';
import type { DeliveryStep } from '../../../database/entities/delivery.entity.js';
import { multipartForm } from './multipart-form.js';
import type { PreparedFile } from '../../prepared-file.js';
import { errorOfFailure, errorOfResponse } from '../../target-responses.rules.js';
import { reportedBy } from './wordpress-responses.rules.js';
import {
  type Attachment,
  ATTACHMENT_FIELDS,
  type AttachmentSource,
  attachmentIn,
  attachmentsIn,
} from './wordpress-attachment.rules.js';

/** 100 KB per second. A slower upload of the whole file is aborted. */
const UPLOAD_BYTES_PER_MS = 100;
const CALL_MS = 60_000;

/** A site whose REST API is known. */
export type WordPressSite = WordPressConnection & { readonly restRoot: string };

export interface UploadOutcome {
  readonly attachment: Attachment | null;
  /** What the site reported about an attachment without sending its record. */
  readonly attachmentId: number | null;
  readonly error: DeliveryError | null;
}

/** The media library of one site. */
export class WordPressMedia {
  private readonly outbound: OutboundClient;
  private readonly responseTimeoutMs: number;

  constructor(
    private readonly site: WordPressSite,
    { outbound, config }: KindServices,
    private readonly signal: AbortSignal,
  ) {
    this.outbound = outbound;
    this.responseTimeoutMs = config.deliveries.answerSeconds * 1000;
  }

  /** Attachments with one of these slugs, oldest first. */
  async find(slugs: readonly string[], now: Date = new Date()): Promise<Attachment[]> {
    const query = {
      slug: slugs.join(','),
      context: 'edit',
      per_page: '100',
      orderby: 'id',
      order: 'asc',
      _fields: ATTACHMENT_FIELDS,
    };
    const response = await this.call('look_up', 'GET', 'wp/v2/media', query);
    const attachments =
      response.status === 200 ? attachmentsIn(readJson(response.body), sourceOf(response, now)) : null;
    if (attachments === null) throw unexpected(response, 'look_up');
    // A plugin may ignore the filter.
    return attachments.filter(({ slug }) => slugs.includes(slug)).sort((a, b) => a.id - b.id);
  }

  async get(id: number, now: Date = new Date()): Promise<Attachment | null> {
    const response = await this.call('look_up', 'GET', `wp/v2/media/${id}`, {
      context: 'edit',
      _fields: ATTACHMENT_FIELDS,
    });
    if (response.status === 404) return null;
    const attachment =
      response.status === 200 ? attachmentIn(readJson(response.body), sourceOf(response, now)) : null;
    if (attachment === null) throw unexpected(response, 'look_up');
    return attachment;
  }

  /** A missing attachment counts as deleted. */
  async delete(id: number): Promise<void> {
    const response = await this.call('look_up', 'DELETE', `wp/v2/media/${id}`, { force: 'true' });
    if (response.status !== 200 && response.status !== 404 && response.status !== 410)
      throw unexpected(response, 'look_up');
  }

  /** Makes the missing sizes of an upload that was interrupted during processing: WordPress's own recovery. */
  async createSizes(id: number): Promise<void> {
    await this.change(`wp/v2/media/${id}/post-process`, { action: 'create-image-subsizes' });
  }

  /** WordPress derives an empty slug from the title. */
  async resetSlug(id: number): Promise<void> {
    await this.change(`wp/v2/media/${id}`, { slug: '' });
  }

  /** Always a form: WordPress stores a truncated raw body, but rejects a truncated form. */
  async upload(fields: Readonly<Record<string, string>>, file: PreparedFile): Promise<UploadOutcome> {
    const { fileName, contentType, sizeBytes } = file;
    const form = multipartForm(fields, { field: 'file', fileName, contentType, sizeBytes });
    const source = await file.open(this.signal);
    try {
      const response = await this.outbound.request({
        url: restUrl(this.site.restRoot, 'wp/v2/media'),
        method: 'POST',
        headers: {
          ...this.headers(),
          'content-type': form.contentType,
          // The hex hash of the file alone, as WordPress compares it.
          ...(file.md5 === null ? {} : { 'content-md5': file.md5 }),
        },
        body: { stream: form.body(source), bytes: form.bytes },
        headersTimeoutMs: this.responseTimeoutMs,
        totalTimeoutMs: CALL_MS + this.responseTimeoutMs + Math.ceil(sizeBytes / UPLOAD_BYTES_PER_MS),
        signal: this.signal,
      });
      const attachment =
        response.status === 201 ? attachmentIn(readJson(response.body), sourceOf(response)) : null;
      const attachmentId = announcedId(response.headers);
      const error = attachment === null ? uploadError(response, attachmentId !== null, sizeBytes) : null;
      return { attachment, attachmentId, error };
    } catch (error) {
      const failure = errorOfFailure(error, 'upload');
      const headers = error instanceof OutboundError ? error.response?.headers : undefined;
      return { attachment: null, attachmentId: headers ? announcedId(headers) : null, error: failure };
    } finally {
      source.destroy();
    }
  }

  private async change(path: string, change: object): Promise<void> {
    const response = await this.outbound
      .request({
        url: restUrl(this.site.restRoot, path),
        method: 'POST',
        headers: { ...this.headers(), 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(change)),
        headersTimeoutMs: this.responseTimeoutMs,
        totalTimeoutMs: this.responseTimeoutMs + CALL_MS,
        signal: this.signal,
      })
      .catch((error: unknown) => {
        throw errorOfFailure(error, 'look_up');
      });
    if (response.status !== 200) throw unexpected(response, 'look_up');
  }

  private async call(
    step: DeliveryStep,
    method: 'GET' | 'DELETE',
    path: string,
    query: Record<string, string>,
  ): Promise<OutboundResponse> {
    try {
      return await this.outbound.request({
        url: restUrl(this.site.restRoot, path, query),
        method,
        headers: this.headers(),
        totalTimeoutMs: CALL_MS,
        signal: this.signal,
      });
    } catch (error) {
      throw errorOfFailure(error, step);
    }
  }

  private headers(): Record<string, string> {
    // Without it, WordPress reports fatal errors and maintenance as HTML pages.
    return { accept: 'application/json', ...authorizationOf(this.site) };
  }
}

/** With the site's clock, which it uses to date attachments. */
function sourceOf({ headers, conceal }: OutboundResponse, now = new Date()): AttachmentSource {
  const date = new Date(headers['date'] ?? '');
  return { conceal, now: Number.isNaN(date.getTime()) ? now : date };
}

/** WordPress sends this header as soon as there is a record of the upload, even if the rest of the request fails. */
function announcedId(headers: Readonly<Record<string, string>>): number | null {
  const id = headers['x-wp-upload-attachment-id'];
  return id !== undefined && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

function uploadError(response: OutboundResponse, isStored: boolean, sizeBytes: number): DeliveryError {
  if (!isStored) return unexpected(response, 'upload', sizeBytes);
  return new DeliveryError('target_error', 'upload', {
    ambiguous: true,
    more: `It responded with status ${response.status}.`,
  });
}

function unexpected(response: OutboundResponse, step: DeliveryStep, sizeBytes?: number): DeliveryError {
  if (response.status >= 300) return errorOfResponse(response, { step, sizeBytes }, reportedBy(response));
  const isPage = readJson(response.body) === undefined;
  return new DeliveryError('target_error', step, {
    // An unreadable response to an upload may have stored it.
    ambiguous: step === 'upload',
    isPage,
    more: isPage
      ? `It responded with a page instead of the REST API (status ${response.status}).`
      : 'The response does not come from a WordPress site.',
  });
}
