import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
} from '@aws-sdk/client-s3';
import type { StorageClient } from './storage-client.js';
import { isMissing, statusOf, tolerateMissing } from './storage-errors.js';

export interface OpenMultipart {
  readonly key: string;
  readonly uploadId: string;
  readonly begunAt: Date;
}

export interface UploadedPart {
  readonly partNumber: number;
  readonly etag: string;
  readonly sizeBytes?: number;
}

/** Multipart uploads, for files that are too large for one request. */
export class MultipartUploads {
  constructor(private readonly client: StorageClient) {}

  async create(key: string): Promise<string> {
    const { UploadId } = await this.client.call((client, options) =>
      client.send(new CreateMultipartUploadCommand({ Bucket: this.client.bucket, Key: key }), options),
    );
    return UploadId!;
  }

  /** False if the store does not know the upload (any more), or not with these parts. */
  async complete(
    key: string,
    uploadId: string,
    parts: readonly UploadedPart[],
    sizeBytes: number,
  ): Promise<boolean> {
    const Parts = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }));
    const command = new CompleteMultipartUploadCommand({
      Bucket: this.client.bucket,
      Key: key,
      UploadId: uploadId,
      MultipartUpload: { Parts },
    });
    return this.client.call(async (client, options) => {
      try {
        await client.send(command, options);
        return true;
      } catch (error) {
        if (isMissing(error) || statusOf(error) === 400) return false;
        throw error;
      }
    }, this.client.copyTimeoutMs(sizeBytes));
  }

  async listParts(key: string, uploadId: string): Promise<UploadedPart[]> {
    return this.client.call(async (client, options) => {
      const parts: UploadedPart[] = [];
      let marker: string | undefined;
      do {
        const page = await client
          .send(
            new ListPartsCommand({
              Bucket: this.client.bucket,
              Key: key,
              UploadId: uploadId,
              PartNumberMarker: marker,
            }),
            options,
          )
          .catch((error: unknown) => {
            if (isMissing(error)) return null;
            throw error;
          });
        for (const part of page?.Parts ?? []) {
          parts.push({ partNumber: part.PartNumber!, etag: part.ETag!, sizeBytes: part.Size! });
        }
        marker = page?.IsTruncated ? page.NextPartNumberMarker : undefined;
      } while (marker !== undefined);
      return parts;
    });
  }

  async abort(key: string, uploadId: string): Promise<void> {
    await this.client.call((client, options) =>
      client
        .send(
          new AbortMultipartUploadCommand({ Bucket: this.client.bucket, Key: key, UploadId: uploadId }),
          options,
        )
        .catch(tolerateMissing),
    );
  }

  /** Multipart uploads below the prefix that were neither completed nor aborted, page by page. */
  async *list(prefix: string): AsyncGenerator<OpenMultipart[]> {
    let position: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
    while (position !== null) {
      const command = new ListMultipartUploadsCommand({
        Bucket: this.client.bucket,
        Prefix: prefix,
        ...position,
      });
      const page: ListMultipartUploadsCommandOutput = await this.client.call((client, options) =>
        client.send(command, options),
      );
      yield (page.Uploads ?? []).map((upload) => ({
        key: upload.Key!,
        uploadId: upload.UploadId!,
        begunAt: upload.Initiated ?? new Date(),
      }));
      position = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : null;
    }
  }
}
