/** Starts a store on a port in use, and another on a free one; prints what happened. For thread.e2e-spec.ts. */
import { startObjectStoreThread } from '@asset-library/embedded-s3';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = mkdtempSync(join(tmpdir(), 'embedded-s3-thread-'));
const options = { directory, host: '127.0.0.1', accessKeyId: 'key', secretAccessKey: 'secret' };

const other = createServer().listen(0, '127.0.0.1');
await once(other, 'listening');
const { port } = other.address();
const error = await startObjectStoreThread({ ...options, port }).catch((reason) => reason);
other.close();

const store = await startObjectStoreThread({ ...options, port: 0 });
const { status } = await fetch(store.endpoint);
await store.close();
const isClosed = await fetch(store.endpoint).then(
  () => false,
  () => true,
);
rmSync(directory, { recursive: true });
console.log(JSON.stringify({ code: error.code, namesPort: error.port === port, status, isClosed }));
