import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { query, type RunningService, storeClient } from '../services/service.js';
import { sha256 } from '../api/uploads.js';

export const MARKER = 'installation';

/** Direct access to the service's bucket. */
export class Bucket {
  private readonly client = storeClient();

  constructor(private readonly service: Pick<RunningService, 'bucket' | 'databaseUrl'>) {}

  close(): void {
    this.client.destroy();
  }

  async keys(prefix = ''): Promise<string[]> {
    const keys: string[] = [];
    let token: string | undefined;
    do {
      const page = await this.client.send(
        new ListObjectsV2Command({ Bucket: this.service.bucket, Prefix: prefix, ContinuationToken: token }),
      );
      keys.push(...(page.Contents ?? []).map(({ Key }) => Key!));
      token = page.NextContinuationToken;
    } while (token);
    return keys;
  }

  async openMultiparts(): Promise<string[]> {
    const response = await this.client.send(new ListMultipartUploadsCommand({ Bucket: this.service.bucket }));
    return (response.Uploads ?? []).map(({ Key }) => Key!);
  }

  async read(key: string): Promise<Buffer> {
    const response = await this.client.send(new GetObjectCommand({ Bucket: this.service.bucket, Key: key }));
    return Buffer.from(await response.Body!.transformToByteArray());
  }

  async write(key: string, body: string | Uint8Array): Promise<void> {
    await this.client.send(new PutObjectCommand({ Bucket: this.service.bucket, Key: key, Body: body }));
  }

  async delete(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.service.bucket, Key: key }));
  }

  /** Every record has its object with the recorded bytes. */
  async expectEveryAssetWhole(): Promise<string[]> {
    const assets = await query<{ key: string; sha256: string }>(
      this.service.databaseUrl,
      `SELECT 'clients/' || client_id || '/assets/' || id || '/' || attempt AS key, sha256 FROM assets ORDER BY 1`,
    );
    for (const { key, sha256: recorded } of assets) expect(sha256(await this.read(key))).toBe(recorded);
    return assets.map(({ key }) => key);
  }

  /** Every object has a record. */
  async expectNoOrphans(): Promise<void> {
    const owned = await this.expectEveryAssetWhole();
    const folders = new Set(owned.map((key) => key.slice(0, key.lastIndexOf('/'))));
    const renditionOf = (key: string) => /^(.*)\/renditions\/[^/]+$/.exec(key)?.[1] ?? '';
    const others = (await this.keys()).filter((key) => key !== MARKER && !folders.has(renditionOf(key)));
    expect(others.sort()).toEqual(owned.sort());
    expect(await this.openMultiparts()).toEqual([]);
  }
}

export const stagingKey = (clientId: string, sessionId: string) => `clients/${clientId}/uploads/${sessionId}`;
