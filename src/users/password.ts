import { hash, verify } from '@node-rs/argon2';

/** OWASP's second recommendation for argon2id (the library's default algorithm): 19 MiB, two passes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFC'), OPTIONS);
}

/** Takes the same time whether or not the user exists, so that the response time does not reveal it. */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('no user has this password');
  const matches = await verify(passwordHash ?? (await decoy), password.normalize('NFC'));
  return matches && passwordHash !== null;
}
