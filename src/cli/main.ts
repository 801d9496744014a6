import 'reflect-metadata';

/** Each command is loaded only when it runs. */
const COMMANDS: Record<string, { run: (args: string[]) => Promise<void>; help: string }> = {
  'create-user': {
    run: async (args) => (await import('./create-user.js')).createUser(args),
    help: 'create a user: --email … --role … [--name …] [--clients a,b] < password',
  },
  doctor: {
    run: async (args) => (await import('./doctor.js')).doctor(args),
    help: 'check the object store; --origin … also checks its CORS policy',
  },
  'export-openapi': {
    run: async (args) => (await import('./export-openapi.js')).exportOpenApi(args),
    help: 'write openapi.json; --check only checks whether it is up to date',
  },
  migrate: {
    run: async () => (await import('./migrate.js')).migrateDatabase(),
    help: 'run pending database migrations (for DATABASE_MIGRATE=false)',
  },
  'secrets:rotate': {
    run: async () => (await import('./secrets-rotate.js')).secretsRotate(),
    help: 're-encrypt the credentials of all targets with the first key of SECRETS_KEY',
  },
  'storage:adopt': {
    run: async (args) => (await import('./storage-adopt.js')).storageAdopt(args),
    help: 'find originals without a record; --apply makes them assets again, in the trash; --client … only those of one client',
  },
  'storage:claim': {
    run: async (args) => (await import('./storage-claim.js')).storageClaim(args),
    help: 'make this database the one that controls the bucket; --take-over also takes the bucket of another installation',
  },
  'storage:cors': {
    run: async (args) => (await import('./storage-cors.js')).storageCors(args),
    help: 'set the CORS policy of the bucket, so that pages of --origin … can upload',
  },
  'storage:reconcile': {
    run: async (args) => (await import('./storage-reconcile.js')).storageReconcile(args),
    help: 'compare the bucket with the database; --remove-unrecorded also removes objects newer than a restored backup',
  },
};

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
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
