import { CredentialRotation } from '../targets/credential-rotation.js';
import { TargetsModule } from '../targets/targets.module.js';
import { withServices } from './context.js';

/** Re-encrypts the credentials of all targets with the first key of SECRETS_KEY. Can run while the service runs, and can be repeated. */
export async function secretsRotate(): Promise<void> {
  await withServices([TargetsModule], async (app) => {
    const report = await app.get(CredentialRotation).rotate();
    for (const [name, value] of Object.entries(report)) process.stdout.write(`${name}: ${value}\n`);
    if (report.unreadable === 0) return;
    throw new Error(
      'Some credentials cannot be decrypted because their key is missing from SECRETS_KEY. Add the key, or enter these credentials again.',
    );
  });
}
