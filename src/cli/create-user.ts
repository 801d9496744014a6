import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { PASSWORD_LENGTH } from '../config/limits.js';
import { type Role, ROLES } from '../database/entities/user.entity.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { UsersService } from '../users/users.service.js';
import { UsersModule } from '../users/users.module.js';
import { withServices } from './context.js';

/** For the first users, or if every owner is locked out. The password comes from standard input, so that it is not in the shell history. */
export async function createUser(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string' },
      clients: { type: 'string' },
    },
  });
  const { email, name = email, role, clients } = values;
  if (!email?.includes('@') || !isRole(role)) {
    throw new Error(
      `Usage: create-user --email … --role ${ROLES.join('|')} [--name …] [--clients a,b] < password`,
    );
  }
  const password = (await text(process.stdin)).trim();
  const { length } = [...password];
  if (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max) {
    throw new Error(`The password must be ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters long.`);
  }
  await withServices([JobsModule, UsersModule], async (app) => {
    const clientIds = clients?.split(',') ?? null;
    const { user } = await app
      .get(UsersService)
      .create(null, { email, name: name!, role, password, clientIds });
    process.stdout.write(`Created ${user.email} (${user.role}), ${user.id}\n`);
  });
}

function isRole(value: string | undefined): value is Role {
  return ROLES.some((role) => role === value);
}
