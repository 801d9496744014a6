import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse, Api } from '../support/api/api.js';
import { newPerson, PASSWORD, type Person } from '../support/api/people.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';

const ROUNDS = Number(process.env['SIGN_IN_ROUNDS'] ?? 3);
const NEW_PASSWORD = 'another-password';

jest.setTimeout(60_000 + ROUNDS * 5_000);

describe('A sign-in that races with the end of all sign-ins', () => {
  let service: Service;
  let owner: Api;
  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: 'true' });
    owner = await service.api.signIn(OWNER);
  });
  afterAll(() => service.stop());

  /** Many rounds have more failed sign-ins than the limit of one network. */
  const forRounds = async (round: () => Promise<void>) => {
    for (let count = 0; count < ROUNDS; count++) {
      await query(service.databaseUrl, 'DELETE FROM rate_limits');
      await round();
    }
  };
  const signIn = ({ email }: Person) => service.api.post('/auth/login', { email, password: PASSWORD });
  const update = (person: Person, change: object) => owner.patch(`/admin/users/${person.userId}`, change);

  /** The number of responses with tokens that still work. */
  const survivors = async (responses: ApiResponse[]) => {
    let count = 0;
    for (const { status, body } of responses) {
      if (status !== 200) continue;
      const me = await service.api.as(body.accessToken).get('/auth/me');
      const refreshed = await service.api.post('/auth/refresh', { refreshToken: body.refreshToken });
      if (me.status !== 401 || refreshed.status !== 401) count++;
    }
    return count;
  };

  /** Several sign-ins, started a little apart, around the moment of the change. */
  const race = async (person: Person, change: () => Promise<ApiResponse>, attempt = signIn) => {
    const attempts = Array.from({ length: 6 }, async (_, index) => {
      await delay(index * 25);
      return attempt(person);
    });
    const changed = await change();
    expect(changed.status).toBeLessThan(300);
    return Promise.all(attempts);
  };

  it('does not survive a change of the password', async () => {
    await forRounds(async () => {
      const person = await newPerson(owner, { role: 'viewer' });
      const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
      const responses = await race(person, () => person.api.post('/auth/password', change));
      expect(await survivors(responses)).toBe(0);
      expect((await person.api.get('/auth/me')).status).toBe(200);
    });
  });

  it('does not survive a password reset by an administrator', async () => {
    await forRounds(async () => {
      const person = await newPerson(owner, { role: 'viewer' });
      expect(await survivors(await race(person, () => update(person, { password: NEW_PASSWORD })))).toBe(0);
    });
  });

  it('does not survive a deactivation', async () => {
    await forRounds(async () => {
      const person = await newPerson(owner, { role: 'viewer' });
      const responses = await race(person, async () => {
        await delay(60);
        return update(person, { isActive: false });
      });
      expect((await update(person, { isActive: true })).status).toBe(200);
      expect(await survivors(responses)).toBe(0);
    });
  });

  it('does not survive as a refreshed sign-in either', async () => {
    await forRounds(async () => {
      const person = await newPerson(owner, { role: 'viewer' });
      const { refreshToken } = (await signIn(person)).body;
      const refresh = () => service.api.post('/auth/refresh', { refreshToken });
      const reset = () => update(person, { password: NEW_PASSWORD });
      expect(await survivors(await race(person, reset, refresh))).toBe(0);
    });
  });

  it('cannot undo a password reset with a change of the old password', async () => {
    await forRounds(async () => {
      const person = await newPerson(owner, { role: 'viewer' });
      const change = { currentPassword: PASSWORD, newPassword: 'chosen-by-the-attacker' };
      const attempt = person.api.post('/auth/password', change);
      expect((await update(person, { password: NEW_PASSWORD })).status).toBe(200);
      const attempted = await attempt;
      const { email } = person;
      const attacker = await service.api.post('/auth/login', { email, password: change.newPassword });
      // The attacker may have been first, but then the reset takes precedence.
      expect({ attempted: attempted.status, attacker: attacker.status }).toMatchObject({ attacker: 401 });
    });
  });

  it.each([
    ['user', '/admin/users', { email: '', password: PASSWORD, name: 'New', role: 'owner' }, 'users'],
    ['API key', '/admin/api-keys', { name: 'New', role: 'owner', clientIds: null }, 'api_keys'],
  ])('leaves no new %s behind once a deactivation was confirmed', async (_kind, path, request, table) => {
    await forRounds(async () => {
      const actor = await newPerson(owner, { role: 'owner' });
      const count = async () =>
        Number((await query(service.databaseUrl, `SELECT count(*) AS count FROM ${table}`))[0]!['count']);
      const body = 'email' in request ? { ...request, email: `${actor.userId}@test.example` } : request;
      const creations = Array.from({ length: 4 }, async (_, index) => {
        await delay(index * 3);
        return actor.api.post(path, body);
      });
      await delay(10);
      expect((await update(actor, { isActive: false })).status).toBe(200);
      const before = await count();
      await Promise.all(creations);
      expect(await count()).toBe(before);
    });
  });
});
