import { CreateBucketCommand, HeadBucketCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { MARKER_KEY } from './object-key.js';
import type { StorageClient } from './storage-client.js';
import { nameOf, statusOf } from './storage-errors.js';

export type StorageState = 'ok' | 'not_configured' | 'unreachable' | 'forbidden';

const STATE_TIMEOUT_MS = 3_000;

/** The bucket itself: its availability, its creation and its CORS rules. */
export class BucketAdministration {
  constructor(private readonly client: StorageClient) {}

  /** Whether the bucket is accessible with our credentials. */
  async state(): Promise<StorageState> {
    if (!this.client.isConfigured) return 'not_configured';
    const abortSignal = AbortSignal.timeout(STATE_TIMEOUT_MS);
    try {
      await this.client.internal.send(new HeadBucketCommand({ Bucket: this.client.bucket }), { abortSignal });
      return 'ok';
    } catch (error) {
      if (statusOf(error) !== 403) return 'unreachable';
      // A key that may not list the bucket may not query the bucket either; uploads need neither.
      const status = await this.client.headStatus(MARKER_KEY, abortSignal);
      return status === 200 || status === 404 ? 'ok' : 'forbidden';
    }
  }

  /** Throws if the bucket is not accessible with our credentials. */
  async head(): Promise<void> {
    await this.client.call((client, options) =>
      client.send(new HeadBucketCommand({ Bucket: this.client.bucket }), options),
    );
  }

  /** For the embedded store; elsewhere the bucket must already exist. */
  async create(): Promise<void> {
    await this.client.call((client, options) =>
      client
        .send(new CreateBucketCommand({ Bucket: this.client.bucket }), options)
        .catch((error: unknown) => {
          if (nameOf(error) !== 'BucketAlreadyOwnedByYou') throw error;
        }),
    );
  }

  /** Allows pages of these origins to upload and to read the ETags that multipart uploads need. */
  async setCors(origins: readonly string[]): Promise<void> {
    await this.client.call((client, options) =>
      client.send(
        new PutBucketCorsCommand({
          Bucket: this.client.bucket,
          CORSConfiguration: {
            CORSRules: [
              {
                AllowedOrigins: [...origins],
                AllowedMethods: ['PUT'],
                AllowedHeaders: ['*'],
                ExposeHeaders: ['ETag'],
                MaxAgeSeconds: 3600,
              },
            ],
          },
        }),
        options,
      ),
    );
  }
}
