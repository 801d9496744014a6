import type { ApiResponse } from '../support/api/api.js';
import { newPerson, PASSWORD } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, query, type Service, startService } from '../support/services/service.js';

const WRONG = 'not-the-password';

describe('Guessing passwords', () => {
  let service: Service;
  /** A second process on the same database. */
  let replica: Service;
  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: 'true' });
    replica = await service.another();
  });
  afterAll(() => Promise.all([service.stop(), replica.stop()]));

  let lastAddress = 0;
  const newAddress = () => `203.0.113.${++lastAddress}`;
  const newVictim = async () => {
    const owner = await service.api.signIn(OWNER);
    return (await newPerson(owner, { role: 'viewer' })).email;
  };
  const login = (email: string, password: string, address: string, at = service, cookie?: string) =>
    at.api.post(
      '/auth/login',
      { email, password },
      { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}) },
    );
  const deviceCookie = ({ headers }: ApiResponse) =>
    headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('device='))!
      .split(';')[0]!;
  const countBy = (responses: ApiResponse[]) => {
    const counts: Record<number, number> = {};
    for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const guess = (times: number, email: string, address: string, at = service) =>
    Promise.all(Array.from({ length: times }, () => login(email, WRONG, address, at)));

  it('is blocked after ten failures from one address, even with the right password', async () => {
    const [email, address] = [await newVictim(), newAddress()];
    for (let attempt = 1; attempt <= 10; attempt++) {
      expectProblem(await login(email, WRONG, address), 401, 'invalid_credentials');
    }
    const refused = await login(email, PASSWORD, address);
    expectProblem(refused, 429, 'too_many_attempts');
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(840);
    expect(retryAfter).toBeLessThanOrEqual(900);
  });

  it('does not lock the user out at another address', async () => {
    const [email, address] = [await newVictim(), newAddress()];
    await guess(12, email, address);
    expect((await login(email, PASSWORD, address)).status).toBe(429);
    expect((await login(email, PASSWORD, newAddress())).status).toBe(200);
  });

  it('does not lock other users out at the same address', async () => {
    const [email, other, address] = [await newVictim(), await newVictim(), newAddress()];
    await guess(12, email, address);
    expect((await login(other, PASSWORD, address)).status).toBe(200);
  });

  it('cannot bypass the limit with simultaneous guesses', async () => {
    const responses = await guess(40, await newVictim(), newAddress());
    expect(countBy(responses)).toEqual({ 401: 10, 429: 30 });
  });

  it('is counted by all processes together', async () => {
    const [email, address] = [await newVictim(), newAddress()];
    await guess(5, email, address, service);
    expect(countBy(await guess(10, email, address, replica))).toEqual({ 401: 5, 429: 5 });
    expect((await login(email, PASSWORD, address, service)).status).toBe(429);
  });

  it('is counted for unknown users too, so that the limit does not reveal who exists', async () => {
    expect(countBy(await guess(12, 'nobody@test.example', newAddress()))).toEqual({ 401: 10, 429: 2 });
  });

  it('cannot be spread over spellings of the address or over routes', async () => {
    const [email, address] = [await newVictim(), newAddress()];
    for (let attempt = 0; attempt < 5; attempt++) {
      await login(` ${email.toUpperCase()} `, WRONG, address);
      const form = new URLSearchParams({ grant_type: 'password', username: email, password: WRONG });
      await service.api.post('/auth/token', form.toString(), {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': address,
      });
    }
    expect((await login(email, PASSWORD, address)).status).toBe(429);
  });

  it('is limited for an address over many accounts', async () => {
    const address = newAddress();
    const responses: ApiResponse[] = [];
    for (let round = 0; round < 11; round++) {
      responses.push(...(await guess(10, `nobody-${round}@test.example`, address)));
    }
    expect(countBy(responses)).toEqual({ 401: 100, 429: 10 });
    expect((await login(await newVictim(), PASSWORD, address)).status).toBe(429);
  });

  it('is counted by the /64 network of an IPv6 address', async () => {
    const email = await newVictim();
    for (let host = 1; host <= 10; host++) await login(email, WRONG, `2001:db8:1:2::${host}`);
    expect((await login(email, PASSWORD, '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await login(email, PASSWORD, '2001:db8:1:3::1')).status).toBe(200);
  });

  it('is counted once for both notations of an IPv4 address', async () => {
    const [email, address] = [await newVictim(), newAddress()];
    await guess(5, email, address);
    await guess(5, email, `::ffff:${address}`);
    expect((await login(email, PASSWORD, address)).status).toBe(429);
  });

  describe('while strangers exhaust the limit of an account', () => {
    const address = '192.0.2.1';
    let email: string;
    let device: string;
    let foreignDevice: string;
    const guesses: ApiResponse[] = [];
    beforeAll(async () => {
      email = await newVictim();
      device = deviceCookie(await login(email, PASSWORD, address));
      foreignDevice = deviceCookie(await login(await newVictim(), PASSWORD, address));
      for (let host = 0; host < 11; host++) guesses.push(...(await guess(10, email, `10.0.0.${host}`)));
    });

    const loginAt = (from: string, cookie?: string, password = PASSWORD) =>
      login(email, password, from, service, cookie);

    it('is limited for the account over many addresses', async () => {
      expect(countBy(guesses)).toEqual({ 401: 100, 429: 10 });
      expect((await login(await newVictim(), PASSWORD, newAddress())).status).toBe(200);
    });

    it('blocks addresses from which nobody signed in', async () => {
      expectProblem(await loginAt(newAddress()), 429, 'too_many_attempts');
    });

    it('does not block an address from which the user signed in before', async () => {
      expect((await loginAt(address)).status).toBe(200);
    });

    it('does not block a device on which the user signed in before, at any address', async () => {
      const response = await loginAt('10.0.0.1', device);
      expect(response.status).toBe(200);
      expect((await login(email, PASSWORD, newAddress(), replica, deviceCookie(response))).status).toBe(200);
    });

    it.each([
      ['of another user', () => foreignDevice],
      ['that was tampered with', () => device.replace(/.{4}$/, 'AAAA')],
      ['with random content', () => 'device=nonsense'],
    ])('does not trust a device cookie %s', async (_kind, cookie) => {
      expectProblem(await loginAt(newAddress(), cookie()), 429, 'too_many_attempts');
    });

    it('allows a known device and a known address ten failures each', async () => {
      const byDevice = Array.from({ length: 12 }, () => loginAt(newAddress(), device, WRONG));
      expect(countBy(await Promise.all(byDevice))).toEqual({ 401: 10, 429: 2 });
      expectProblem(await loginAt(address, device), 429, 'too_many_attempts');
      expect((await loginAt(address)).status).toBe(200);

      expect(countBy(await guess(12, email, address))).toEqual({ 401: 10, 429: 2 });
      expectProblem(await loginAt(address), 429, 'too_many_attempts');
    });

    it('protects the cookie of a device from scripts and other sites', async () => {
      const [, , cookie] = (await login(await newVictim(), PASSWORD, newAddress())).headers.getSetCookie();
      expect(cookie).toMatch(/^device=[\w-]+; /);
      expect(cookie!.split('; ')).toEqual(
        expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${400 * 86_400}`]),
      );
    });
  });

  it('is limited over all known addresses of an account together', async () => {
    const [email, one, two] = [await newVictim(), newAddress(), newAddress()];
    for (const address of [one, two]) expect((await login(email, PASSWORD, address)).status).toBe(200);
    await guess(1, email, one);
    // Simulates a hundred failures, because each real guess takes time.
    const counters = `key LIKE 'login-account-known:%' AND points = 1`;
    const rows = await query(
      service.databaseUrl,
      `UPDATE rate_limits SET points = 100 WHERE ${counters} RETURNING key`,
    );
    expect(rows).toHaveLength(1);
    expectProblem(await login(email, PASSWORD, two), 429, 'too_many_attempts');
  });

  it('starts over after a success', async () => {
    const [email, address] = [await newVictim(), newAddress()];
    for (let round = 0; round < 3; round++) {
      expect(countBy(await guess(9, email, address))).toEqual({ 401: 9 });
      expect((await login(email, PASSWORD, address)).status).toBe(200);
    }
  });
});

describe('Behind no trusted proxy', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('a guesser cannot choose their address by a header', async () => {
    const responses: ApiResponse[] = [];
    for (let attempt = 0; attempt < 11; attempt++) {
      const guess = { email: OWNER.email, password: WRONG };
      responses.push(
        await service.api.post('/auth/login', guess, { 'x-forwarded-for': `203.0.113.${attempt}` }),
      );
    }
    expectProblem(responses.at(-1)!, 429, 'too_many_attempts');
  });

  it('the log reports once that there seems to be a proxy', async () => {
    for (let attempt = 0; attempt < 3; attempt++)
      await service.api.get('/healthz', { 'x-forwarded-for': '203.0.113.1' });
    const warnings = service.output().match(/.*X-Forwarded-For.*/g) ?? [];
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('TRUST_PROXY');
  });
});
