/** `npm run test:s3`: the upload and trash tests against the store of the STORAGE_* settings. Its bucket must be empty. */
import { runJest } from './support/run-jest.mjs';
import { testEnvironment } from './support/test-environment.mjs';

const SUITES = [
  'test/e2e/upload-',
  'test/e2e/download',
  'test/e2e/bucket-ownership',
  'test/hostile/uploads',
  'test/faults/big-trash',
];

// One at a time, because they share the bucket.
await runJest(['--runInBand', ...SUITES, ...process.argv.slice(2)], {
  ...testEnvironment(),
  TEST_FOREIGN_STORE: 'true',
});
