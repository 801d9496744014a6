/** `npm test`: every test, unit and end to end. Arguments go to jest; the last line is always `N passed, N failed`. */
import { runJest } from './support/run-jest.mjs';
import { testEnvironment } from './support/test-environment.mjs';

await runJest(['--maxWorkers=2', ...process.argv.slice(2)], testEnvironment());
