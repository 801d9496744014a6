import type { Config } from '../config/config.js';
import { DEMO_USERS } from './demo-accounts.js';

/** Prints the addresses and how to sign in. */
export function printWelcome(config: Config, dataDir: string): void {
  const { publicUrl } = config.http;
  const width = Math.max(...DEMO_USERS.map(({ email }) => email.length));
  const lines = [
    '',
    '  Client Asset Library is running.',
    '',
    `    Pages          ${publicUrl}`,
    `    Swagger UI     ${publicUrl}/docs`,
    `    Status         ${publicUrl}/status`,
    '',
    `  Sign in with the password ${config.embedded!.demoPassword} as one of:`,
    '',
    ...DEMO_USERS.map(({ email, role }) => `    ${email.padEnd(width)}   ${role}`),
    '',
    `  Data and logs (service.log) are in ${dataDir}. This setup is for evaluation, not for production.`,
    '  Press Ctrl-C to stop.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
