import { CredentialRotation } from '../agents/targets/credential-rotation.js';
import { withServices } from './context.js';

/** Encrypts the credentials of all targets with the first key of SECRETS_KEY. Safe while the service runs, and to repeat. */
export async function secretsRotate(): Promise<void> {
  await withServices(async (app) => {
    const report = await app.get(CredentialRotation).rotate();
    for (const [name, value] of Object.entries(report)) process.stdout.write(`${name}: ${value}\n`);
    if (report.unreadable === 0) return;
    throw new Error(
      'Some credentials cannot be decrypted: their key is missing from SECRETS_KEY. Add it again, or enter these credentials anew.',
    );
  });
}
