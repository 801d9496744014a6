import './compile-once.mjs';
import { TestEnvironment } from 'jest-environment-node';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The storages that the current test file has used. */
const used = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    used.add(this);
    return original.apply(this, args);
  };
}

/**
 * Lets go of a test file when it has ended. Jest runs the tests of each file in a new `AsyncLocalStorage`, which it never disables. Before
 * Node 24, every promise in the process then visits those of all earlier files, and everything that these files have loaded stays in memory.
 */
export default class ForgetfulEnvironment extends TestEnvironment {
  async teardown() {
    await super.teardown();
    for (const storage of used) storage.disable();
    used.clear();
  }
}
