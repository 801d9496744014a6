/**
 * Makes hashing passwords cheap in this process, because the tests sign in a thousand times. Must be imported before the service. The
 * real cost is checked in sign-in.e2e-spec.ts, in another process.
 */
import { createRequire } from 'node:module';

const argon2 = createRequire(import.meta.url)('@node-rs/argon2');
const { hash } = argon2;
argon2.hash = (password, options) => hash(password, { ...options, memoryCost: 1_024, timeCost: 1 });
