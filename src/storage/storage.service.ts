import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';

export type StorageState = 'ok' | 'not_configured' | 'unreachable' | 'forbidden';

/** The one place that speaks to the object store. */
@Injectable()
export class StorageService implements OnApplicationShutdown {
  private readonly client: S3Client | null;
  private readonly bucket: string;

  constructor(@InjectConfig() { storage }: Config) {
    this.bucket = storage.configured ? storage.bucket : '';
    this.client = storage.configured
      ? new S3Client({
          endpoint: storage.endpoint,
          region: storage.region,
          forcePathStyle: storage.forcePathStyle,
          credentials: { accessKeyId: storage.accessKeyId, secretAccessKey: storage.secretAccessKey },
          // The SDK's defaults put the checksum of an empty body into presigned URLs.
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
          maxAttempts: 3,
        })
      : null;
  }

  onApplicationShutdown(): void {
    this.client?.destroy();
  }

  /** Whether the bucket answers to our credentials. */
  async state(): Promise<StorageState> {
    if (this.client === null) return 'not_configured';
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }), { abortSignal: AbortSignal.timeout(3_000) });
      return 'ok';
    } catch (error) {
      return statusOf(error) === 403 ? 'forbidden' : 'unreachable';
    }
  }
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
