/** For `npm run test:s3`: the tests run against the store that the STORAGE_* settings describe, in a bucket that must be empty. */
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { randomUUID } from 'node:crypto';

const REQUIRED = [
  'STORAGE_ACCOUNT_ID',
  'STORAGE_ACCESS_KEY_ID',
  'STORAGE_SECRET_ACCESS_KEY',
  'STORAGE_BUCKET_NAME',
];

/** Exports the settings for the tests; returns a function that removes the tests' objects. */
export async function useForeignStore() {
  const { env } = process;
  const missing = REQUIRED.filter((name) => !env[name]);
  if (missing.length > 0)
    throw new Error(`npm run test:s3 needs ${missing.join(', ')} of a store with an empty bucket.`);
  const endpoint = env.STORAGE_ENDPOINT || `https://${env.STORAGE_ACCOUNT_ID}.r2.cloudflarestorage.com`;
  const region = env.STORAGE_REGION || 'auto';
  const forcePathStyle = (env.STORAGE_FORCE_PATH_STYLE || String(Boolean(env.STORAGE_ENDPOINT))) === 'true';
  const Bucket = env.STORAGE_BUCKET_NAME;
  const credentials = {
    accessKeyId: env.STORAGE_ACCESS_KEY_ID,
    secretAccessKey: env.STORAGE_SECRET_ACCESS_KEY,
  };
  const client = new S3Client({ endpoint, region, forcePathStyle, credentials });

  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }));
  if (Contents.length > 0) {
    throw new Error(
      `The bucket ${Bucket} is not empty. The tests delete what they find, so they need a separate bucket.`,
    );
  }
  const [installation, nonce] = [randomUUID(), randomUUID()];
  const Body = `${installation} owned ${nonce}`;
  await client.send(new PutObjectCommand({ Bucket, Key: 'installation', Body }));
  Object.assign(env, {
    TEST_STORE_ENDPOINT: endpoint,
    TEST_STORE_ACCESS_KEY_ID: credentials.accessKeyId,
    TEST_STORE_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    TEST_STORE_BUCKET: Bucket,
    TEST_STORE_REGION: region,
    TEST_STORE_FORCE_PATH_STYLE: String(forcePathStyle),
    TEST_STORE_INSTALLATION: installation,
    TEST_STORE_NONCE: nonce,
  });
  return async () => {
    await empty(client, Bucket);
    client.destroy();
  };
}

async function empty(client, Bucket) {
  for (;;) {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    if (Contents.length === 0) break;
    for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket, Key }));
  }
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  for (const { Key, UploadId } of Uploads) {
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  }
}
