import { newClient, newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';

describe('The last owner', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  const activeOwners = async () =>
    (
      await query(
        service.databaseUrl,
        `SELECT id FROM users WHERE role = 'owner' AND is_active AND client_ids IS NULL`,
      )
    ).length;

  it('cannot be demoted, deactivated or limited', async () => {
    const api = await service.api.signIn(OWNER);
    const { userId } = (await api.get('/auth/me')).body;
    const clientId = await newClient(api);
    await newPerson(api, { role: 'owner', clientIds: [clientId] });
    for (const change of [
      { role: 'operator' },
      { isActive: false },
      { clientIds: [clientId] },
      { clientIds: [] },
    ]) {
      expectProblem(await api.patch(`/admin/users/${userId}`, change), 409, 'last_owner');
    }
    expect((await api.patch(`/admin/users/${userId}`, { name: 'Still here' })).status).toBe(200);

    const second = await newPerson(api, { role: 'owner' });
    expect((await second.api.patch(`/admin/users/${userId}`, { role: 'operator' })).status).toBe(200);
    expectProblem(
      await second.api.patch(`/admin/users/${second.userId}`, { isActive: false }),
      409,
      'last_owner',
    );
  });

  it('remains when owners remove each other at the same moment', async () => {
    const first = await service.api.signIn(OWNER);
    const { userId } = (await first.get('/auth/me')).body;
    const second = await newPerson(first, { role: 'owner' });
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all([
        first.patch(`/admin/users/${second.userId}`, { role: 'viewer' }),
        second.api.patch(`/admin/users/${userId}`, { role: 'viewer' }),
      ]);
      expect(await activeOwners()).toBe(1);
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      await query(service.databaseUrl, `UPDATE users SET role = 'owner'`);
    }
  });

  it('remains when all owners demote themselves at the same moment', async () => {
    const first = await service.api.signIn(OWNER);
    const { userId } = (await first.get('/auth/me')).body;
    const second = await newPerson(first, { role: 'owner' });
    const responses = await Promise.all([
      first.patch(`/admin/users/${userId}`, { isActive: false }),
      second.api.patch(`/admin/users/${second.userId}`, { isActive: false }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await activeOwners()).toBe(1);
  });

  it('is created at startup only if there is none', async () => {
    await service.stop();
    service = await service.restart({
      ADMIN_EMAIL: 'another@test.example',
      ADMIN_PASSWORD: 'another-password',
    });
    expect(await activeOwners()).toBe(1);
    const response = await service.api.post('/auth/login', {
      email: 'another@test.example',
      password: 'another-password',
    });
    expectProblem(response, 401, 'invalid_credentials');
    expect((await service.api.post('/auth/login', OWNER)).status).toBe(200);
  });
});
