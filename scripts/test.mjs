/** `npm test`: all unit and end-to-end tests. Arguments go to jest. The last line is always `N passed, N failed`. */
import { runJest } from './support/run-jest.mjs';
import { testEnvironment } from './support/test-environment.mjs';

// In processes that end after seconds, collecting garbage takes longer than it saves.
const collectingLater = ['--initial-heap-size=256'];

// The tests mostly wait, so five at a time keep two cores busy.
await runJest(
  ['--maxWorkers=5', ...process.argv.slice(2)],
  { ...testEnvironment(), TEST_BUNDLED: 'true' },
  collectingLater,
);
