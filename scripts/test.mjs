/** `npm test`: every test, unit and end to end. Arguments go to jest; the last line is always `N passed, N failed`. */
import { runJest } from './support/run-jest.mjs';
import { testEnvironment } from './support/test-environment.mjs';

// Much of it is waiting: four at a time keep two cores busy.
await runJest(['--maxWorkers=4', ...process.argv.slice(2)], { ...testEnvironment(), TEST_BUNDLED: 'true' });
