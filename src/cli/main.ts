import 'reflect-metadata';
import { createUser } from './create-user.js';
import { exportOpenApi } from './export-openapi.js';

const COMMANDS: Record<string, { run: (args: string[]) => Promise<void>; help: string }> = {
  'export-openapi': {
    run: exportOpenApi,
    help: 'write openapi.json; with --check, only say whether it is up to date',
  },
  'create-user': {
    run: createUser,
    help: 'create a user: --email … --name … --role … [--clients a,b], password on standard input',
  },
};

const [name = '', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (command === undefined) {
  const lines = Object.entries(COMMANDS).map(([key, { help }]) => `  ${key.padEnd(18)}${help}`);
  process.stderr.write(`Usage: npm run cli -- <command>\n\n${lines.join('\n')}\n`);
  process.exit(name === '' || name === 'help' ? 0 : 2);
}
try {
  await command.run(args);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
