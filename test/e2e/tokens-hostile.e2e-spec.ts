import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newPerson } from '../support/api/people.js';
import { expectProblem } from '../support/api/problems.js';
import { OWNER, type Service, startService } from '../support/services/service.js';

type Part = Record<string, unknown>;

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (token: string, index: number): Part =>
  JSON.parse(Buffer.from(token.split('.')[index]!, 'base64url').toString()) as Part;

function hmacToken(header: unknown, claims: unknown, secret: string, hash = 'sha256'): string {
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${createHmac(hash, secret).update(content).digest('base64url')}`;
}

describe('A token that is not ours', () => {
  let service: Service;
  let secret: string;
  let valid: string;
  let header: Part;
  let claims: Part;
  beforeAll(async () => {
    service = await startService();
    secret = service.env['AUTH_JWT_SECRET']!;
    const { body } = await service.api.post('/auth/login', OWNER);
    valid = body.accessToken as string;
    header = decode(valid, 0);
    claims = decode(valid, 1);
  });
  afterAll(() => service.stop());

  const me = (token: string) => service.api.as(token).get('/auth/me');
  const refused = async (token: string) => expectProblem(await me(token), 401, 'unauthenticated');
  const now = () => Math.floor(Date.now() / 1000);

  it('is distinguished from a valid one (so that the forgeries below fail for their own reason)', async () => {
    expect((await me(hmacToken(header, claims, secret))).status).toBe(200);
  });

  it('is rejected with an explanation of what the caller can do', async () => {
    const response = await me('wrong');
    expectProblem(response, 401, 'unauthenticated');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is rejected when its claims were changed under the old signature', async () => {
    const [head, , signature] = valid.split('.');
    await refused(`${head}.${encode({ ...claims, exp: now() + 86_400 })}.${signature}`);
  });

  it('is rejected when signed with another secret, whatever key it names', async () => {
    const foreign = 'another-secret-another-secret-another';
    for (const kid of [header['kid'], 'unknown', undefined, '', '__proto__', 'constructor', 42, null, {}]) {
      await refused(hmacToken({ ...header, kid }, claims, foreign));
    }
    await refused(hmacToken(header, claims, ''));
  });

  it('is rejected when it names no key of ours, even with the right signature', async () => {
    await refused(hmacToken({ alg: 'HS256', typ: 'JWT' }, claims, secret));
  });

  it('is rejected without a signature', async () => {
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null]) {
      await refused(`${encode({ ...header, alg })}.${encode(claims)}.`);
      await refused(`${encode({ ...header, alg })}.${encode(claims)}`);
    }
    await refused(valid.slice(0, valid.lastIndexOf('.') + 1));
  });

  it('is rejected under another algorithm, even with the right secret', async () => {
    await refused(hmacToken({ ...header, alg: 'HS512' }, claims, secret, 'sha512'));
    await refused(hmacToken({ ...header, alg: 'HS384' }, claims, secret, 'sha384'));
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const content = `${encode({ ...header, alg: 'RS256' })}.${encode(claims)}`;
    await refused(`${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`);
  });

  it('is rejected when meant for someone else, or issued by someone else', async () => {
    for (const change of [
      { aud: 'another/api' },
      { aud: undefined },
      { aud: [] },
      { iss: 'another' },
      { iss: undefined },
    ]) {
      await refused(hmacToken(header, { ...claims, ...change }, secret));
    }
  });

  it('is rejected after or before its time', async () => {
    await refused(hmacToken(header, { ...claims, exp: now() - 1 }, secret));
    await refused(hmacToken(header, { ...claims, exp: 'tomorrow' }, secret));
    await refused(hmacToken(header, { ...claims, nbf: now() + 60 }, secret));
  });

  it('is rejected when its user and its sign-in do not belong together', async () => {
    const other = await newPerson(service.api.as(valid), { role: 'viewer' });
    await refused(hmacToken(header, { ...claims, sub: other.userId }, secret));
    for (const sub of [undefined, 'x', '', 1, null, ['a'], "' OR 1=1 --"]) {
      await refused(hmacToken(header, { ...claims, sub }, secret));
      await refused(hmacToken(header, { ...claims, sid: sub }, secret));
    }
  });

  it.each([
    'a',
    'a.b',
    'a.b.c',
    '..',
    '...',
    'e30.e30.e30',
    'bnVsbA.bnVsbA.bnVsbA',
    'null',
    '%00',
    'ÿÿÿ',
    'cal_',
    'cal_unknown',
  ])('is rejected when it is malformed: %s', async (noise) => refused(noise));

  it.each(['Bearer', 'Bearer ', 'Basic b3duZXI6b3duZXI=', 'Token abc', 'Bearer a b'])(
    'is rejected in the header "%s"',
    async (authorization) =>
      expectProblem(await service.api.get('/auth/me', { authorization }), 401, 'unauthenticated'),
  );

  it('is rejected in a header of 100 KB without harm to the service', async () => {
    expect([401, 431]).toContain((await me('x'.repeat(100_000))).status);
    expect([401, 431]).toContain(
      (await service.api.get('/auth/me', { cookie: `session=${'x'.repeat(100_000)}` })).status,
    );
    await refused('x'.repeat(10_000));
    expect((await me(valid)).status).toBe(200);
  });

  it('is rejected when it is a refresh token', async () => {
    const { refreshToken } = (await service.api.post('/auth/login', OWNER)).body;
    await refused(refreshToken as string);
  });
});

describe('An access token', () => {
  const running: Service[] = [];
  const started = async (service: Promise<Service>) => {
    running.push(await service);
    return running.at(-1)!;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
  });

  it('expires', async () => {
    const { api } = await started(startService({ AUTH_ACCESS_TOKEN_SECONDS: '1' }));
    const { body } = await api.post('/auth/login', OWNER);
    expect(body.expiresIn).toBe(1);
    const { iat, exp } = decode(body.accessToken, 1) as { iat: number; exp: number };
    expect(exp - iat).toBe(1);
    let response = await api.as(body.accessToken).get('/auth/me');
    for (const end = Date.now() + 5_000; response.status === 200 && Date.now() < end; await delay(50)) {
      response = await api.as(body.accessToken).get('/auth/me');
    }
    expectProblem(response, 401, 'unauthenticated');
    expect((await api.post('/auth/refresh', { refreshToken: body.refreshToken })).status).toBe(200);
  });

  it('survives the rotation of secrets until the old one is removed', async () => {
    const [before, after] = ['old-secret-old-secret-old-secret-old', 'new-secret-new-secret-new-secret-new'];
    const first = await started(startService({ AUTH_JWT_SECRET: before }));
    const old = (await first.api.post('/auth/login', OWNER)).body;
    await first.stop();

    const second = await started(first.restart({ AUTH_JWT_SECRET: `${after},${before}` }));
    expect((await second.api.as(old.accessToken).get('/auth/me')).status).toBe(200);
    const fresh = (await second.api.post('/auth/login', OWNER)).body;
    expect(decode(fresh.accessToken, 0)['kid']).not.toBe(decode(old.accessToken, 0)['kid']);
    await second.stop();

    const third = await started(second.restart({ AUTH_JWT_SECRET: after }));
    expectProblem(await third.api.as(old.accessToken).get('/auth/me'), 401, 'unauthenticated');
    expect((await third.api.as(fresh.accessToken).get('/auth/me')).status).toBe(200);
    expect((await third.api.post('/auth/refresh', { refreshToken: old.refreshToken })).status).toBe(200);
  });
});
