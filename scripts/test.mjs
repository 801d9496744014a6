/** `npm test`: all unit and end-to-end tests. Arguments go to jest. The last line is always `N passed, N failed`. */
import { runJest } from './support/run-jest.mjs';
import { testEnvironment } from './support/test-environment.mjs';

// The tests mostly wait, so four at a time keep two cores busy.
await runJest(['--maxWorkers=4', ...process.argv.slice(2)], { ...testEnvironment(), TEST_BUNDLED: 'true' });
