import type { INestApplicationContext } from '@nestjs/common';
import { join } from 'node:path';
import { hashPassword, passwordMatches } from '../users/password.js';
import { ClientsRepository } from '../clients/clients.repository.js';
import { ClientsService } from '../clients/clients.service.js';
import { DEFAULT_DEMO_PASSWORD } from '../config/config.js';
import { Database } from '../database/database.js';
import { UsersRepository } from '../users/users.repository.js';
import { UsersService } from '../users/users.service.js';
import { DEMO_CLIENT, DEMO_USERS } from './demo-accounts.js';
import { ensureSamples } from './demo-samples.js';

/** A client, users and assets for evaluation. Existing ones are not changed. */
export async function ensureDemo(
  app: INestApplicationContext,
  password: string,
  dataDir: string,
): Promise<void> {
  if (!(await app.get(ClientsRepository).exists(DEMO_CLIENT))) {
    await app.get(ClientsService).create(null, { clientId: DEMO_CLIENT, name: 'Morning Crumb Bakery' });
  }
  await ensureUsers(app, password);
  await ensureSamples(app, password, join(dataDir, 'samples-uploaded'));
}

async function ensureUsers(app: INestApplicationContext, password: string): Promise<void> {
  const users = app.get(UsersRepository);
  for (const user of DEMO_USERS) {
    const existing = await users.findByEmail(user.email);
    if (existing === null) {
      await app.get(UsersService).create(null, { ...user, password });
    } else if (
      password !== DEFAULT_DEMO_PASSWORD &&
      (await passwordMatches(existing.passwordHash, DEFAULT_DEMO_PASSWORD))
    ) {
      // DEMO_PASSWORD was set later: the default password must no longer work.
      const passwordHash = await hashPassword(password);
      await app.get(Database).transaction(async (manager) => {
        await users.update(existing.id, { passwordHash }, manager);
        await users.endSignIns(existing.id, null, manager);
      });
    }
  }
}
