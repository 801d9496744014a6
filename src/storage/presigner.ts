import { GetObjectCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { StorageClient } from './storage-client.js';

/** Signs URLs that authorize one request each. */
export class Presigner {
  constructor(private readonly client: StorageClient) {}

  /** A URL that authorizes one PUT of exactly this many bytes. The content type is not signed. */
  async put(key: string, sizeBytes: number, lifetimeSeconds: number): Promise<string> {
    const command = new PutObjectCommand({ Bucket: this.client.bucket, Key: key, ContentLength: sizeBytes });
    return this.sign(command, lifetimeSeconds);
  }

  async part(
    key: string,
    uploadId: string,
    part: { partNumber: number; sizeBytes: number },
    lifetimeSeconds: number,
  ): Promise<string> {
    const command = new UploadPartCommand({
      Bucket: this.client.bucket,
      Key: key,
      UploadId: uploadId,
      PartNumber: part.partNumber,
      ContentLength: part.sizeBytes,
    });
    return this.sign(command, lifetimeSeconds);
  }

  /** For our own child processes on this machine, never for a browser. */
  async read(key: string, lifetimeSeconds: number): Promise<string> {
    return getSignedUrl(
      this.client.internal,
      new GetObjectCommand({ Bucket: this.client.bucket, Key: key }),
      {
        expiresIn: lifetimeSeconds,
      },
    );
  }

  private async sign(command: PutObjectCommand | UploadPartCommand, expiresIn: number): Promise<string> {
    return getSignedUrl(this.client.external, command as PutObjectCommand, {
      expiresIn,
      signableHeaders: new Set(['host', 'content-length']),
    });
  }
}
