import type { Config } from '../config/config.js';
import { DEMO_USERS } from './demo-accounts.js';

/** Says where to go and how to sign in. */
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
    `  Sign in (all with the password ${config.embedded!.demoPassword}):`,
    '',
    ...DEMO_USERS.map(({ email, role }) => `    ${email.padEnd(width)}   ${role}`),
    '',
    `  Everything is kept in ${dataDir} (log: service.log). Demo data for trying things out, not for real clients.`,
    '  Stop with Ctrl-C.',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
