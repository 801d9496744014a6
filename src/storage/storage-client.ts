import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { storeCalls } from '../common/metrics/metrics.js';
import type { Config, StorageConfig } from '../config/config.js';
import { statusOf, storageIsReadOnly, storageNotConfigured, storageProblem } from './storage-errors.js';

const MAX_SOCKETS = 2_000;
/** The minimum throughput of a store for copying or assembling parts: gigabytes take a while. */
const COPIED_BYTES_PER_MS = 5_000;

/** All that a read-only service may send, and sign. */
const READS = [
  'GetObjectCommand',
  'HeadBucketCommand',
  'HeadObjectCommand',
  'ListMultipartUploadsCommand',
  'ListObjectsV2Command',
  'ListPartsCommand',
];

/** The connections to the store. Limits the time of each call and maps errors to problems of the catalogue. */
export class StorageClient {
  private readonly missing: readonly string[];
  private readonly connected: { readonly internal: S3Client; readonly external: S3Client } | null = null;
  readonly bucket: string = '';
  /** How long to wait for a response of the store, or for its next bytes. */
  readonly timeoutMs: number = 0;
  readonly isReadOnly: boolean = false;

  constructor(storage: Config['storage']) {
    this.missing = storage.configured ? [] : storage.missing;
    if (!storage.configured) return;
    this.bucket = storage.bucket;
    this.timeoutMs = storage.timeoutSeconds * 1000;
    this.isReadOnly = storage.readOnly;
    const internal = connect(storage, storage.endpoint);
    const external =
      storage.publicEndpoint === storage.endpoint ? internal : connect(storage, storage.publicEndpoint);
    this.connected = { internal, external };
  }

  get isConfigured(): boolean {
    return this.connected !== null;
  }

  requireConfigured(): void {
    if (this.connected === null) throw storageNotConfigured(this.missing);
  }

  /** Uses the server's address of the store. */
  get internal(): S3Client {
    this.requireConfigured();
    return this.connected!.internal;
  }

  /** Signs URLs for browsers, which may use a different address of the store. */
  get external(): S3Client {
    this.requireConfigured();
    return this.connected!.external;
  }

  /** Whether browsers use a different address of the store than we do. */
  get hasPublicAddress(): boolean {
    return this.connected !== null && this.connected.external !== this.connected.internal;
  }

  close(): void {
    this.connected?.internal.destroy();
    this.connected?.external.destroy();
  }

  /** The status that the store returns for an object. */
  async headStatus(key: string, abortSignal: AbortSignal): Promise<number | undefined> {
    const command = new HeadObjectCommand({ Bucket: this.bucket, Key: key });
    return this.internal.send(command, { abortSignal }).then(() => 200, statusOf);
  }

  /** The timeout for an operation inside the store on this many bytes. */
  copyTimeoutMs(sizeBytes: number): number {
    return this.timeoutMs + Math.ceil(sizeBytes / COPIED_BYTES_PER_MS);
  }

  /** Runs one call, or several that belong together, within one timeout. */
  async call<T>(
    work: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    timeoutMs = this.timeoutMs,
    signal?: AbortSignal,
  ): Promise<T> {
    const client = this.internal;
    // Not AbortSignal.timeout(), which would retain the request until the timeout.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      return await work(client, {
        abortSignal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw storageProblem(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function connect(storage: StorageConfig, endpoint: string): S3Client {
  const client = new S3Client({
    endpoint,
    region: storage.region,
    forcePathStyle: storage.forcePathStyle,
    credentials: { accessKeyId: storage.accessKeyId, secretAccessKey: storage.secretAccessKey },
    // The SDK's defaults add the checksum of an empty body to presigned URLs, which fails on some stores.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 3_000,
      // Each slow client occupies a connection: with few of them, slow clients could block everybody else.
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
  if (storage.readOnly)
    client.middlewareStack.add(
      (next, context) => (args) => {
        if (!READS.includes(context.commandName ?? '')) throw storageIsReadOnly();
        return next(args);
      },
      { step: 'initialize', name: 'refuseWrites' },
    );
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const operation = String(context.commandName).replace(/Command$/, '');
      try {
        const response = await next(args);
        storeCalls.inc({ operation, outcome: 'ok' });
        return response;
      } catch (error) {
        storeCalls.inc({ operation, outcome: String(statusOf(error) ?? 'unreachable') });
        throw error;
      }
    },
    // Only for requests that are sent, not for URLs that are only signed.
    { step: 'deserialize', priority: 'high', name: 'countCalls' },
  );
  return client;
}
