/**
 * The object store of the tests, in a thread. Unlike startObjectStoreThread, it does not wait for the disk: test data need not survive a
 * power failure, and on a disk that other tests use, waiting sometimes takes longer than the timeouts that tests set.
 */
import { open } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { startObjectStore } from '@asset-library/embedded-s3';

const file = await open(import.meta.filename);
Object.getPrototypeOf(file).sync = () => Promise.resolve();
await file.close();

const { endpoint } = await startObjectStore(workerData);
parentPort.postMessage(endpoint);
