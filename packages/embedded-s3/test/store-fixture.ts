import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { type RunningObjectStore, startObjectStore } from '../src/object-store.js';

export const credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' };
export const BUCKET = 'library';

export interface TestStore {
  directory: string;
  endpoint: string;
  port: number;
  s3: S3Client;
  client(config?: S3ClientConfig): S3Client;
  restart(): Promise<void>;
  /** The number of files with bytes, which a rejected upload must not change. */
  blobCount(): Promise<number>;
  stop(): Promise<void>;
}

/** A new store in a temporary directory, with one bucket. */
export async function startTestStore(): Promise<TestStore> {
  const directory = await mkdtemp(join(tmpdir(), 'object-store-'));
  const clients: S3Client[] = [];
  const start = (port: number) => startObjectStore({ directory, host: '127.0.0.1', port, ...credentials });
  let running: RunningObjectStore = await start(0);
  const { endpoint, port } = running;
  const client = (config: S3ClientConfig = {}) => {
    const created = new S3Client({
      endpoint,
      region: 'auto',
      forcePathStyle: true,
      credentials,
      maxAttempts: 1,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...config,
    });
    clients.push(created);
    return created;
  };
  const s3 = client();
  await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
  return {
    directory,
    endpoint,
    port,
    s3,
    client,
    restart: async () => {
      await running.close();
      running = await start(port);
    },
    blobCount: async () => (await readdir(join(directory, 'blobs'))).length,
    stop: async () => {
      for (const created of clients) created.destroy();
      await running.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
  /** The code of S3's error document. */
  code?: string;
}

/** One request over bare HTTP, exactly as given. */
export function raw(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer | string } = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const path = url.slice(url.indexOf('/', 'http://'.length)); // not through URL, which would normalize it
    const outgoing = httpRequest({
      hostname,
      port,
      path,
      method: options.method ?? 'GET',
      headers: options.headers,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('error', reject);
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = Buffer.concat(chunks);
        const text = body.toString('utf8');
        const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
        resolve({ status: incoming.statusCode!, headers: incoming.headers, body, text, code });
      });
    });
    outgoing.end(options.body);
  });
}

export interface SigningOptions {
  method: string;
  headers?: Record<string, string>;
  payload?: string;
  date?: Date;
  secret?: string;
  accessKeyId?: string;
  unsigned?: Record<string, string>;
}

export interface SignedHeaders {
  headers: Record<string, string>;
  signature: string;
  timestamp: string;
  scope: string;
  signingKey: Buffer;
}

/** An independent SigV4 signer for the Authorization header, to sign what the SDK would never send. */
export function signHeaders(url: string, options: SigningOptions): SignedHeaders {
  const { host, searchParams } = new URL(url);
  const path = url.slice(url.indexOf('/', 'http://'.length)).split('?')[0]!;
  const timestamp = (options.date ?? new Date()).toISOString().replace(/[-:]|\.\d+/g, '');
  const date = timestamp.slice(0, 8);
  const payload = options.payload ?? 'UNSIGNED-PAYLOAD';
  const headers: Record<string, string> = {
    ...options.headers,
    host,
    'x-amz-date': timestamp,
    'x-amz-content-sha256': payload,
  };
  const names = Object.keys(headers).sort();
  const query = [...searchParams].map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`).sort();
  const block = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const canonical = [options.method, path, query.join('&'), block, names.join(';'), payload].join('\n');
  const scope = `${date}/eu-test-1/s3/aws4_request`;
  const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
  const secret = options.secret ?? credentials.secretAccessKey;
  const signingKey = hmac(hmac(hmac(hmac(`AWS4${secret}`, date), 'eu-test-1'), 's3'), 'aws4_request');
  const toSign = `AWS4-HMAC-SHA256\n${timestamp}\n${scope}\n${sha256(canonical)}`;
  const signature = hmac(signingKey, toSign).toString('hex');
  const credential = `${options.accessKeyId ?? credentials.accessKeyId}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return {
    headers: { ...headers, authorization, ...options.unsigned },
    signature,
    timestamp,
    scope,
    signingKey,
  };
}

/** Signs and sends; the body's length is sent but not signed. */
export function signedRaw(
  url: string,
  options: SigningOptions & { body?: Buffer | string },
): Promise<RawResponse> {
  const { headers } = signHeaders(url, options);
  return raw(url, { method: options.method, headers, body: options.body });
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

export function md5(data: string | Buffer): string {
  return createHash('md5').update(data).digest('hex');
}

/** Bytes that look random but are always the same for a seed. */
export function patternBytes(size: number, seed = 1): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16)).update(Buffer.alloc(size));
}
