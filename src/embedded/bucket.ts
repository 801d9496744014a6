import { CreateBucketCommand, PutBucketCorsCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { Config, StorageConfig } from '../config/config.js';

/** Makes the embedded bucket and lets our own pages, and `CORS_ORIGINS`, upload to it. */
export async function prepareBucket(config: Config): Promise<void> {
  const storage = config.storage as StorageConfig;
  const client = new S3Client({
    endpoint: storage.endpoint,
    region: storage.region,
    forcePathStyle: true,
    credentials: { accessKeyId: storage.accessKeyId, secretAccessKey: storage.secretAccessKey },
  });
  try {
    await client.send(new CreateBucketCommand({ Bucket: storage.bucket })).catch((error: unknown) => {
      if (!(error instanceof S3ServiceException && error.name === 'BucketAlreadyOwnedByYou')) throw error;
    });
    await client.send(
      new PutBucketCorsCommand({
        Bucket: storage.bucket,
        CORSConfiguration: {
          CORSRules: [
            {
              AllowedOrigins: ownOrigins(config),
              AllowedMethods: ['PUT'],
              AllowedHeaders: ['*'],
              ExposeHeaders: ['ETag'],
              MaxAgeSeconds: 3600,
            },
          ],
        },
      }),
    );
  } finally {
    client.destroy();
  }
}

function ownOrigins({ http }: Config): string[] {
  const own = [`http://127.0.0.1:${http.port}`, `http://localhost:${http.port}`, new URL(http.publicUrl).origin];
  return [...new Set([...own, ...http.corsOrigins])];
}
