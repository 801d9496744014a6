import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiResponse, Api } from './api.js';

const root = join(__dirname, '../../..');

export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

const fileIn =
  (folder: string) =>
  (name: string, mimeType: string): TestFile => ({
    name,
    mimeType,
    bytes: readFileSync(join(root, folder, name)),
  });
const sample = fileIn('src/embedded/samples');
const fixture = fileIn('test/fixtures/media');

/** The demo's files, one of each of the five types. */
export const SAMPLES = {
  jpeg: sample('storefront.jpg', 'image/jpeg'),
  png: sample('emblem.png', 'image/png'),
  webp: sample('latte.webp', 'image/webp'),
  heic: sample('wheat-field.heic', 'image/heic'),
  mp4: sample('steam.mp4', 'video/mp4'),
};

/** The same types for tests in which size does not matter: a HEIC and a film that are decoded in a fraction of the time. */
export const FILES = {
  ...SAMPLES,
  heic: fixture('still.heic', 'image/heic'),
  mp4: fixture('h264.mp4', 'video/mp4'),
};

const small = fixture('small.jpg', 'image/jpeg').bytes;

/** A JPEG with unique bytes: data after the end of an image is tolerated. Small, because making its previews takes longer than the rest. */
export function uniqueJpeg(picture: Buffer = small): TestFile {
  return { ...FILES.jpeg, bytes: Buffer.concat([picture, Buffer.from(randomUUID())]) };
}

/** An MP4 with unique bytes, in a box that players skip. */
export function uniqueMp4(): TestFile {
  const content = Buffer.from(randomUUID());
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.length);
  return { ...FILES.mp4, bytes: Buffer.concat([FILES.mp4.bytes, size, Buffer.from('free'), content]) };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Untyped, because the content of a response is what a test checks. */
type Json = ApiResponse['body'];

export interface OpenedSession {
  readonly sessionId: string;
  readonly uploadToken: string;
  readonly uploadUrl: string;
  readonly headers: Record<string, string>;
  readonly [other: string]: Json;
}

/** What a browser does to upload a file, as one caller on one side of the API. */
export class Uploader {
  constructor(
    readonly api: Api,
    /** `/admin/clients/:clientId/assets` or `/portal/assets`. */
    readonly base: string,
  ) {}

  static admin(api: Api, clientId: string): Uploader {
    return new Uploader(api, `/admin/clients/${clientId}/assets`);
  }

  static portal(api: Api): Uploader {
    return new Uploader(api, '/portal/assets');
  }

  request(file: TestFile, extra: object = {}): Promise<ApiResponse> {
    return this.api.post(`${this.base}/upload-session`, {
      originalFilename: file.name,
      mimeType: file.mimeType,
      expectedSizeBytes: file.bytes.length,
      ...extra,
    });
  }

  async open(file: TestFile, extra: object = {}): Promise<OpenedSession> {
    return expectStatus(await this.request(file, extra), 201) as OpenedSession;
  }

  /** Opens a session and uploads the bytes. */
  async stage(file: TestFile, extra: object = {}): Promise<OpenedSession> {
    const session = await this.open(file, extra);
    const status = await put(session.uploadUrl, file.bytes, session.headers);
    if (status !== 200) throw new Error(`The PUT returned ${status}`);
    return session;
  }

  finalize({ uploadToken }: { uploadToken: string }, extra: object = {}): Promise<ApiResponse> {
    return this.api.post(`${this.base}/upload-session/finalize`, { uploadToken, ...extra });
  }

  async upload(file: TestFile, extra: object = {}): Promise<Json> {
    return expectStatus(await this.finalize(await this.stage(file), extra), 201);
  }

  status(sessionId: string): Promise<ApiResponse> {
    return this.api.get(`${this.base}/upload-session/${sessionId}`);
  }

  async download(assetId: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Download> {
    const response = await this.api.fetch(method, `${this.base}/${assetId}/download`, { headers });
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  }
}

export interface Download {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** A PUT as a browser sends it; the store's status. */
export async function put(
  url: string,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<number> {
  const response = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) });
  await response.arrayBuffer();
  return response.status;
}

export function expectStatus(response: ApiResponse, status: number): Json {
  if (response.status !== status)
    throw new Error(`expected ${status}, got ${response.status}: ${JSON.stringify(response.body)}`);
  return response.body;
}
