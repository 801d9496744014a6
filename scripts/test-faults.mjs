/** `npm run test:faults`: the fault suite with full repetitions. Paths replace the default suites. */
import { runJest } from './support/run-jest.mjs';
import { testEnvironment } from './support/test-environment.mjs';

const COUNTS = {
  ALL_CASES: 'true',
  ROUNDS: '200',
  CRASH_ROUNDS: '10',
  SIGN_IN_ROUNDS: '50',
  TARGET_DOWN_SECONDS: '60',
  REPLICA_SECONDS: '60',
  REPLICA_UPLOADS: '3',
  SHUTDOWN_REQUESTS: '50',
  SLOW_CLIENTS: '500',
  ZIP_PLANNED_ASSETS: '100000',
  SLOW_PNGS: '210',
  SLOW_HEICS: '36',
  TRASH_ASSETS: '1000000',
  SIBLING_FOLDERS: '150000',
};
const SUITES = ['test/faults/', 'upload-concurrency', 'test/browser/accessibility', 'test/browser/layout'];

const given = process.argv.slice(2);
const paths = given.some((argument) => !argument.startsWith('-')) ? [] : SUITES;
await runJest(['--maxWorkers=1', ...paths, ...given], { ...COUNTS, ...testEnvironment() });
