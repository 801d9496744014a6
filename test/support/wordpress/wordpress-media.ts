import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  mayUpload,
  type RestResponse,
  restError,
  type RestRequest,
  WordPressSite,
} from './wordpress-site.js';

export interface StoredAttachment {
  readonly id: number;
  slug: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
  readonly fields: Readonly<Record<string, string>>;
  createdAt: number;
  /** Null until the site has processed the file. */
  fileSize: number | null;
  hasSizes: boolean;
  isScaled: boolean;
}

/**
 * What goes wrong with one upload. Nothing is stored unless stated.
 * - `cut_before`, `cut_midway`: the connection is lost before or while the bytes arrive.
 * - `cut_after`: stored, the response is lost. `hang_after`: stored, but the site never responds. `stored_502`: stored, a proxy responds with 502.
 * - `late`: nothing is there when the connection is lost; the row appears while the next upload arrives. `very_late`: with `appearLate`.
 * - `stored_twice`: two rows with the same slug, and no response.
 * - `unfinished`: stored but not processed, and no response; `finishProcessing` completes it. `partial`: partly stored three minutes ago.
 * - `fatal`: stored, then processing fails: 500 with a page, and the id in a header. `empty`: stored, an empty 200 with the id.
 * - `warnings`: stored, PHP warnings precede the JSON. `scaled`: stored, scaled by the site, and no response. `slow`: responds after a second.
 * - `page_500`, `too_large_413`, `damaged_412`, `maintenance_503`, `busy_429`, `post_max_size`, `upload_max_filesize`, `type_refused`:
 *   the site refuses. `network_limit`: the limit of a network of sites.
 */
export type UploadFault =
  | 'cut_before'
  | 'cut_midway'
  | 'cut_after'
  | 'hang_after'
  | 'stored_502'
  | 'late'
  | 'very_late'
  | 'stored_twice'
  | 'unfinished'
  | 'partial'
  | 'fatal'
  | 'empty'
  | 'warnings'
  | 'scaled'
  | 'slow'
  | keyof typeof REFUSALS;

/** A page or a reset instead of the next response to a lookup or a deletion; `none`: that one succeeds. */
export type LookupFault = 'none' | 'page_500' | 'cut' | 'page_200' | 'forbidden';

/** Moments of a delivery as the site sees them. The site waits for what a listener returns. */
export type MediaMoment =
  | 'look_up'
  | 'looked_up'
  | 'delete'
  | 'deleted'
  | 'rename'
  | 'renamed'
  | 'upload'
  | 'upload_midway'
  | 'upload_received'
  | 'stored'
  | 'responded';

const REFUSALS = {
  page_500: { status: 500, body: '<html><h1>There has been a critical error</h1></html>' },
  too_large_413: { status: 413, body: '<html><h1>413 Request Entity Too Large</h1></html>' },
  damaged_412: restError(412, 'rest_upload_hash_mismatch', 'Content hash did not match expected.'),
  maintenance_503: { status: 503, body: '<html>Briefly unavailable</html>', headers: { 'retry-after': '1' } },
  busy_429: { status: 429, body: '<html>Slow down</html>', headers: { 'retry-after': '1' } },
  post_max_size: restError(400, 'rest_upload_no_content_disposition', 'No Content-Disposition supplied.'),
  upload_max_filesize: restError(
    500,
    'rest_upload_unknown_error',
    'The uploaded file exceeds the upload_max_filesize directive in php.ini.',
  ),
  network_limit: restError(
    400,
    'rest_upload_file_too_big',
    'This file is too big. Files must be less than 1500 KB in size.',
  ),
  type_refused: restError(
    500,
    'rest_upload_unknown_error',
    'Sorry, you are not allowed to upload this file type.',
  ),
} satisfies Record<string, RestResponse>;

const NO_RESPONSE: readonly UploadFault[] = ['cut_after', 'stored_twice', 'unfinished', 'partial', 'scaled'];
const WARNING =
  '<br />\n<b>Warning</b>:  Undefined array key "x" in <b>/var/www/a.php</b> on line <b>3</b><br />\n';

interface Upload {
  readonly slug: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
  readonly fields: Record<string, string>;
}

/** The media library of a site: what it stores, and how it fails. */
export class WordPressMediaLibrary {
  readonly attachments: StoredAttachment[] = [];
  /** Upload requests that arrived, however they ended. */
  uploads = 0;
  /** Incremented by every response with an attachment that was processed again. */
  postProcessed = 0;
  /** Milliseconds that the site's clock is ahead of ours. */
  clockAheadMs = 0;
  private nextId = 11;
  private uploadFaults: UploadFault[] = [];
  private lookupFaults: LookupFault[] = [];
  private late: Upload[] = [];
  private veryLate: Upload[] = [];
  private recordChange: object = {};
  private readonly listeners = new Map<MediaMoment, () => Promise<void> | void>();

  constructor(readonly site: WordPressSite) {
    site.handle('GET', /^\/wp\/v2\/media$/, (request) => this.list(request));
    site.handle('GET', /^\/wp\/v2\/media\/(\d+)$/, ({ params }) => this.show(Number(params[0])));
    site.handle('POST', /^\/wp\/v2\/media$/, (request) => this.upload(request));
    site.handle('POST', /^\/wp\/v2\/media\/(\d+)$/, (request) => this.edit(request));
    site.handle('DELETE', /^\/wp\/v2\/media\/(\d+)$/, (request) => this.remove(request));
    site.handle('POST', /^\/wp\/v2\/media\/(\d+)\/post-process$/, ({ params }) =>
      this.postProcess(Number(params[0])),
    );
  }

  static async start(): Promise<WordPressMediaLibrary> {
    return new WordPressMediaLibrary(await WordPressSite.start());
  }

  /** The next uploads go wrong in these ways, one after the other. */
  failUploads(...faults: UploadFault[]): void {
    this.uploadFaults = faults;
  }

  failLookups(...faults: LookupFault[]): void {
    this.lookupFaults = faults;
  }

  /** Calls the listener once, at the next such moment. */
  once(moment: MediaMoment, listener: () => Promise<void> | void): void {
    this.listeners.set(moment, listener);
  }

  /** Rows of uploads whose connection was lost long ago. */
  appearLate(): void {
    for (const upload of this.veryLate.splice(0)) this.store(upload);
  }

  finishProcessing(): void {
    for (const attachment of this.attachments) {
      attachment.fileSize ??= attachment.bytes.length;
      attachment.hasSizes = true;
    }
  }

  /** What the site reports about every attachment from now on, instead of the truth. */
  changeRecords(change: object): void {
    this.recordChange = change;
  }

  /** Removes all faults; what the site has stored stays. */
  heal(): void {
    this.recordChange = {};
    this.uploadFaults = [];
    this.lookupFaults = [];
    this.listeners.clear();
  }

  private async moment(name: MediaMoment): Promise<void> {
    const listener = this.listeners.get(name);
    this.listeners.delete(name);
    await listener?.();
  }

  private async upload({ user, query, request, response }: RestRequest): Promise<RestResponse | null> {
    this.uploads++;
    const fault = this.uploadFaults.shift();
    await this.moment('upload');
    if (fault === 'cut_before') return cut(request);
    const received = await this.receive(request, fault === 'cut_midway');
    if (received === null) return null;
    await this.moment('upload_received');
    // PHP has the whole body before WordPress looks at anything.
    if (!mayUpload(user)) {
      const code = 'rest_cannot_create';
      return restError(
        user === null ? 401 : 403,
        code,
        'Sorry, you are not allowed to create posts as this user.',
      );
    }
    for (const delayed of this.late.splice(0)) this.store(delayed);
    const upload = await readUpload(request, query, received);
    if (upload === null) return restError(400, 'rest_upload_no_data', 'No data supplied.');
    if (fault !== undefined && fault in REFUSALS)
      return refuse(response, REFUSALS[fault as keyof typeof REFUSALS]);
    const declared = request.headers['content-md5'];
    if (declared !== undefined && declared !== createHash('md5').update(upload.bytes).digest('hex'))
      return REFUSALS.damaged_412;
    if (fault === 'late' || fault === 'very_late') {
      (fault === 'late' ? this.late : this.veryLate).push(upload);
      return cut(request);
    }
    const attachment = this.store(upload, fault);
    await this.moment('stored');
    if (fault !== undefined && NO_RESPONSE.includes(fault)) return cut(request);
    if (fault === 'hang_after') return null;
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 1_000));
    response.once('finish', () => void this.moment('responded'));
    const headers = { 'x-wp-upload-attachment-id': String(attachment.id), date: this.now().toUTCString() };
    if (fault === 'stored_502') return page(response, 502, '<html>Bad Gateway</html>');
    if (fault === 'fatal')
      return page(response, 500, '<html>There has been a critical error</html>', headers);
    if (fault === 'empty') return page(response, 200, '', headers);
    if (fault === 'warnings')
      return page(response, 201, WARNING + JSON.stringify(this.record(attachment)), headers);
    return { status: 201, body: this.record(attachment), headers };
  }

  /** Null if the connection is lost during the upload: a form is then not stored, but the received part of a raw body is. */
  private async receive(request: IncomingMessage, cutMidway: boolean): Promise<Buffer | null> {
    const total = Number(request.headers['content-length']);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let isHalf = false;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        bytes += chunk.length;
        if (isHalf || bytes < total / 2) continue;
        isHalf = true;
        await this.moment('upload_midway');
        if (cutMidway) {
          request.destroy();
          return null;
        }
      }
    } catch {
      // The other side is gone.
    }
    const isForm = request.headers['content-type']?.startsWith('multipart/form-data') === true;
    return bytes === total || !isForm ? Buffer.concat(chunks) : null;
  }

  private store(upload: Upload, fault?: UploadFault): StoredAttachment {
    const attachment: StoredAttachment = {
      ...upload,
      id: this.nextId++,
      slug: this.freeSlug(upload.slug),
      createdAt: this.now().getTime() - (fault === 'partial' ? 180_000 : 0),
      fileSize: fault === 'unfinished' ? null : upload.bytes.length,
      hasSizes: fault !== 'fatal' && fault !== 'unfinished',
      isScaled: fault === 'scaled',
      bytes: fault === 'partial' ? upload.bytes.subarray(0, 1_000) : upload.bytes,
    };
    if (fault === 'partial') attachment.fileSize = 1_000;
    if (fault === 'scaled') attachment.fileSize = upload.bytes.length - 500;
    this.attachments.push(attachment);
    if (fault === 'stored_twice') this.attachments.push({ ...attachment, id: this.nextId++ });
    return attachment;
  }

  /** WordPress numbers a slug that is taken. */
  private freeSlug(slug: string): string {
    const isTaken = (candidate: string) => this.attachments.some((each) => each.slug === candidate);
    if (!isTaken(slug)) return slug;
    for (let number = 2; ; number++) if (!isTaken(`${slug}-${number}`)) return `${slug}-${number}`;
  }

  private async list({ query, request, response }: RestRequest): Promise<RestResponse | null> {
    await this.moment('look_up');
    const failure = this.lookupFailure(request, response);
    if (failure !== undefined) return failure;
    const slugs = query.get('slug')?.split(',');
    const found = this.attachments
      .filter(({ slug }) => slugs === undefined || slugs.includes(slug))
      .sort((a, b) => (query.get('order') === 'asc' ? a.id - b.id : b.id - a.id))
      .slice(0, Number(query.get('per_page') ?? 10));
    response.once('finish', () => void this.moment('looked_up'));
    const body = found.map((each) => this.record(each));
    return { status: 200, body, headers: { date: this.now().toUTCString() } };
  }

  private show(id: number): RestResponse {
    const attachment = this.attachments.find((each) => each.id === id);
    if (attachment === undefined) return restError(404, 'rest_post_invalid_id', 'Invalid post ID.');
    return { status: 200, body: this.record(attachment), headers: { date: this.now().toUTCString() } };
  }

  private async remove({
    params,
    query,
    request,
    user,
    response,
  }: RestRequest): Promise<RestResponse | null> {
    await this.moment('delete');
    const failure = this.lookupFailure(request, response);
    if (failure !== undefined) return failure;
    if (!mayUpload(user))
      return restError(401, 'rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');
    if (query.get('force') !== 'true')
      return restError(
        501,
        'rest_trash_not_supported',
        `The post does not support trashing. Set 'force=true' to delete.`,
      );
    const index = this.attachments.findIndex(({ id }) => id === Number(params[0]));
    if (index < 0) return restError(404, 'rest_post_invalid_id', 'Invalid post ID.');
    const [removed] = this.attachments.splice(index, 1);
    response.once('finish', () => void this.moment('deleted'));
    return { status: 200, body: { deleted: true, previous: this.record(removed!) } };
  }

  /** Only the slug. WordPress derives an empty one from the title. */
  private async edit({ params, request, user, response }: RestRequest): Promise<RestResponse | null> {
    const body = JSON.parse(await text(request)) as { slug: string };
    await this.moment('rename');
    const failure = this.lookupFailure(request, response);
    if (failure !== undefined) return failure;
    if (!mayUpload(user))
      return restError(401, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
    const attachment = this.attachments.find(({ id }) => id === Number(params[0]));
    if (attachment === undefined) return restError(404, 'rest_post_invalid_id', 'Invalid post ID.');
    attachment.slug = '';
    attachment.slug = this.freeSlug(body.slug || slugOf(attachment.fields['title'] ?? ''));
    response.once('finish', () => void this.moment('renamed'));
    return { status: 200, body: this.record(attachment) };
  }

  private postProcess(id: number): RestResponse {
    const attachment = this.attachments.find((each) => each.id === id);
    if (attachment === undefined) return restError(404, 'rest_post_invalid_id', 'Invalid post ID.');
    attachment.hasSizes = true;
    this.postProcessed++;
    return { status: 200, body: this.record(attachment) };
  }

  private lookupFailure(request: IncomingMessage, response: ServerResponse): RestResponse | null | undefined {
    switch (this.lookupFaults.shift()) {
      case 'cut':
        return cut(request);
      case 'page_500':
        return page(response, 500, '<html>There has been a critical error</html>');
      case 'page_200':
        return page(response, 200, '<html>Welcome</html>');
      case 'forbidden':
        return restError(403, 'rest_forbidden', 'Sorry, you are not allowed to do that.');
      case 'none':
      case undefined:
        return undefined;
    }
  }

  private now(): Date {
    return new Date(Date.now() + this.clockAheadMs);
  }

  private record(attachment: StoredAttachment) {
    const { id, slug, fileName, mimeType, fields, createdAt, fileSize, isScaled, hasSizes } = attachment;
    const stored = isScaled ? fileName.replace(/(\.\w+)$/, '-scaled$1') : fileName;
    const isImage = mimeType.startsWith('image/');
    const sizes = hasSizes && isImage ? { thumbnail: { width: 150, height: 150 }, full: {} } : {};
    return {
      id,
      slug,
      date_gmt: new Date(createdAt).toISOString().slice(0, 19),
      status: 'inherit',
      title: { raw: fields['title'], rendered: fields['title'] },
      alt_text: fields['alt_text'],
      caption: { raw: fields['caption'], rendered: `<p>${fields['caption']}</p>` },
      description: { raw: fields['description'], rendered: `<p>${fields['description']}</p>` },
      media_type: isImage ? 'image' : 'file',
      mime_type: mimeType,
      source_url: `${this.site.baseUrl}/wp-content/uploads/2026/11/${id}-${stored}`,
      // Empty PHP arrays become lists.
      media_details:
        fileSize === null
          ? []
          : { filesize: fileSize, sizes, ...(isScaled ? { original_image: fileName } : {}) },
      ...this.recordChange,
    };
  }
}

/** Of a form; of a raw body, with the slug in the query. */
async function readUpload(
  { headers }: IncomingMessage,
  query: URLSearchParams,
  body: Buffer,
): Promise<Upload | null> {
  const contentType = headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) {
    const fileName = /filename="?([^"]+)/.exec(headers['content-disposition'] ?? '')?.[1] ?? 'file';
    return { slug: query.get('slug') ?? fileName, fileName, mimeType: contentType, bytes: body, fields: {} };
  }
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': contentType },
  }).formData();
  const file = form.get('file');
  if (!(file instanceof File)) return null;
  const fields = Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return {
    slug: fields['slug'] ?? file.name,
    fileName: file.name,
    mimeType: file.type,
    bytes: Buffer.from(await file.arrayBuffer()),
    fields,
  };
}

/** WordPress drops entities and quotes. */
function slugOf(title: string): string {
  const words =
    title
      .toLowerCase()
      .replace(/&.+?;|['"]/g, '')
      .match(/[\p{L}\d]+/gu) ?? [];
  return encodeURI(words.join('-')).toLowerCase();
}

function cut(request: IncomingMessage): null {
  request.socket.resetAndDestroy();
  return null;
}

/** The web server responds with pages, WordPress with JSON. */
function refuse(response: ServerResponse, refusal: RestResponse): RestResponse | null {
  const { status, body, headers } = refusal;
  return typeof body === 'string' ? page(response, status, body, headers) : refusal;
}

function page(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): null {
  response.writeHead(status, { 'content-type': 'text/html; charset=UTF-8', ...headers }).end(body);
  return null;
}
