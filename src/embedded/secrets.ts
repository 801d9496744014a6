import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

export interface Secrets {
  readonly jwtSecret: string;
  readonly secretsKey: string;
  readonly storeAccessKeyId: string;
  readonly storeSecretAccessKey: string;
}

/** Created once per data directory, so that sign-ins and upload URLs survive a restart. */
export async function readSecrets(file: string): Promise<Secrets> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const random = (bytes: number) => randomBytes(bytes).toString('hex');
  const secrets: Secrets = {
    jwtSecret: random(32),
    secretsKey: random(32),
    storeAccessKeyId: random(10),
    storeSecretAccessKey: random(20),
  };
  await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
}
