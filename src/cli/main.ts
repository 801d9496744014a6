import 'reflect-metadata';

/** Each is loaded only when it runs. */
const COMMANDS: Record<string, { run: (args: string[]) => Promise<void>; help: string }> = {
  'create-user': {
    run: async (args) => (await import('./create-user.js')).createUser(args),
    help: 'create a user: --email … --role … [--name …] [--clients a,b] < password',
  },
  doctor: {
    run: async (args) => (await import('./doctor.js')).doctor(args),
    help: 'examine the object store; --origin … asks its cross-origin policy too',
  },
  'export-openapi': {
    run: async (args) => (await import('./export-openapi.js')).exportOpenApi(args),
    help: 'write openapi.json; with --check, only say whether it is up to date',
  },
  migrate: {
    run: async () => (await import('./migrate.js')).migrateDatabase(),
    help: 'bring the database up to date (DATABASE_MIGRATE=false)',
  },
  'secrets:rotate': {
    run: async () => (await import('./secrets-rotate.js')).secretsRotate(),
    help: 'encrypt the credentials of all targets with the first key of SECRETS_KEY',
  },
  'storage:claim': {
    run: async (args) => (await import('./storage-claim.js')).storageClaim(args),
    help: 'mark the bucket as that of this installation; --take-over also when it is marked as that of another',
  },
  'storage:cors': {
    run: async (args) => (await import('./storage-cors.js')).storageCors(args),
    help: 'let pages of --origin … upload to the bucket',
  },
  'storage:reconcile': {
    run: async (args) => (await import('./storage-reconcile.js')).storageReconcile(args),
    help: 'compare bucket and database now; --remove-unrecorded removes objects newer than a restored backup too',
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
