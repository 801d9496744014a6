import { randomUUID } from 'node:crypto';
import type { ApiResponse, Api } from '../support/api/api.js';
import { newClient } from '../support/api/people.js';
import { expectProblem, pathsOf } from '../support/api/problems.js';
import { requestLists } from '../support/contract/request-lists.js';
import { OWNER, type RunningService } from '../support/services/service.js';
import { sharedService } from '../support/services/shared-service.js';

/** Well above what a rejection takes on a busy machine, and well below what validating such a body took before it was limited. */
const QUICKLY_MS = 5_000;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const INHERITED = [
  'toString',
  'hasOwnProperty',
  'valueOf',
  'isPrototypeOf',
  'toLocaleString',
  'prototype',
  'constructor',
  '__proto__',
  '__defineGetter__',
];

const fields = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"k${index.toString(36)}":1`).join(',')}}`;
const listOf = (length: number, item: unknown) => Array.from({ length }, () => item);

describe('Bounded input', () => {
  let service: RunningService;
  let owner: Api;
  let clientId: string;
  let assets: string;
  beforeAll(async () => {
    service = await sharedService();
    owner = await service.api.signIn(OWNER);
    clientId = await newClient(owner);
    assets = `/admin/clients/${clientId}/assets`;
  });

  const refusedQuickly = async (request: () => Promise<ApiResponse>, status: number, code: string) => {
    const startedAt = Date.now();
    const response = await request();
    expect(Date.now() - startedAt).toBeLessThan(QUICKLY_MS);
    expectProblem(response, status, code);
    expect(JSON.stringify(response.body).length).toBeLessThan(20_000);
    return response;
  };

  describe('a body with many fields', () => {
    it.each(['/auth/login', '/auth/refresh', '/auth/token', '/auth/password', '/auth/invitations/accept'])(
      'is limited to 16 KB at %s',
      async (path) => {
        const body = fields(80_000);
        await refusedQuickly(() => owner.post(path, body), 413, 'payload_too_large');
        const padded = JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(17_000) });
        expectProblem(await owner.post(path, padded), 413, 'payload_too_large');
      },
    );

    it('is rejected without being validated', async () => {
      for (const [body, path] of [
        [fields(80_000), 'body'],
        [`{"name": ${fields(80_000)}}`, 'name'],
        [`{"clientIds": [${fields(101)}]}`, 'clientIds.0'],
      ] as const) {
        const response = await refusedQuickly(
          () => owner.post('/admin/users', body),
          400,
          'validation_failed',
        );
        expect(pathsOf(response)).toEqual([path]);
      }
    });

    it('names at most 20 errors, and counts all of them', async () => {
      const response = await owner.post('/admin/clients', fields(100));
      expectProblem(response, 400, 'validation_failed');
      expect(response.body.errors).toHaveLength(20);
      expect(response.body.errorCount).toBeGreaterThanOrEqual(100);
      const one = await owner.post('/admin/clients', { name: 'X', other: 1 });
      expect(one.body).toMatchObject({ errors: [{ path: 'other' }], errorCount: 1 });
    });

    it('or long names of fields is rejected', async () => {
      const response = await owner.post('/admin/clients', { name: 'X', ['k'.repeat(100_000)]: 1 });
      expectProblem(response, 400, 'validation_failed');
      expect(JSON.stringify(response.body).length).toBeLessThan(2_000);
    });
  });

  it('a stranger cannot make the service read a large body', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(900_000) });
    const strangers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer nonsense' },
      { 'x-api-key': 'nonsense' },
    ];
    for (const headers of strangers) {
      expectProblem(await service.api.post('/admin/clients', body, headers), 401, 'unauthenticated');
      // Not even parsed: authentication comes first.
      expectProblem(await service.api.post('/admin/clients', '{', headers), 401, 'unauthenticated');
    }
  });

  it('a form or query with many or repeated fields is rejected', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => `k${index}=1`).join('&');
    const repeated = listOf(1_200, 'limit=5').join('&');
    for (const form of [many, repeated]) {
      await refusedQuickly(() => owner.post('/auth/token', form, FORM), 413, 'payload_too_large');
      await refusedQuickly(() => owner.get(`/admin/clients?${form}`), 400, 'validation_failed');
    }
  });

  describe('a list', () => {
    it('of 345,000 parts is rejected, and counted as one error', async () => {
      const body = JSON.stringify({ uploadToken: 'x', parts: listOf(345_000, {}) });
      const finalize = () => owner.post(`${assets}/upload-session/finalize`, body);
      const response = await refusedQuickly(finalize, 400, 'validation_failed');
      expect(pathsOf(response)).toEqual(['parts']);
    });

    it('inside an element of another list is bounded too', async () => {
      const update = { assetId: 'x', tags: listOf(9_000, '') };
      const patch = () => owner.patch(assets, { assets: listOf(5, update) });
      const { body } = await refusedQuickly(patch, 400, 'validation_failed');
      expect(body.errorCount).toBe(5);
      expect(body.errors[1]).toEqual({
        path: 'assets.1.tags',
        message: 'tags must contain no more than 50 elements',
      });
    });

    it('of the maximum number of parts is read, valid or not', async () => {
      const finalize = (parts: unknown[]) => () =>
        owner.post(`${assets}/upload-session/finalize`, { uploadToken: 'x', parts });
      const right = Array.from({ length: 10_000 }, (_, index) => ({ partNumber: index + 1, etag: 'abc' }));
      await refusedQuickly(finalize(right), 404, 'upload_session_not_found');
      const wrong = await refusedQuickly(finalize(listOf(10_000, { a: 1, b: 2 })), 400, 'validation_failed');
      expect(wrong.body.errors).toHaveLength(20);
      expect(wrong.body.errorCount).toBeGreaterThanOrEqual(20_000);
    });

    it('longer than allowed is one error: its elements are not checked', async () => {
      const wrong = { clientIds: listOf(1_001, 5), role: 'agent', name: 'X' };
      const key = await owner.post('/admin/api-keys', wrong);
      expectProblem(key, 400, 'validation_failed');
      expect(key.body.errors).toEqual([
        { path: 'clientIds', message: 'clientIds must contain no more than 1000 elements' },
      ]);
      const bulk = await owner.post(`${assets}/bulk`, {
        assetIds: listOf(501, {}),
        action: 'addTags',
        tags: listOf(51, 'same'),
      });
      expect(pathsOf(bulk)).toEqual(['assetIds', 'tags']);
    });

    it('has a maximum length in every route that accepts one', async () => {
      const { requests, lists } = await requestLists();
      expect(requests).toBeGreaterThan(15);
      expect(lists.map(({ list }) => list)).toEqual(
        expect.arrayContaining(['FinalizeUploadDto.parts', 'AssetListQuery.tags', 'BulkDto.assetIds']),
      );
      expect(lists.filter(({ limit }) => limit === null)).toEqual([]);
      // The pipe checks the lists of a request itself, and those in the elements of a `@ListOf`.
      expect(lists.filter(({ nested }) => nested)).toEqual([]);
    });

    it('made from text is bounded too', async () => {
      const response = await owner.get(`${assets}?tags=${listOf(51, 'a').join(',')}`);
      expectProblem(response, 400, 'validation_failed');
      expect(response.body.errors).toEqual([
        { path: 'tags', message: 'tags must contain no more than 50 elements' },
      ]);
    });
  });

  it.each(INHERITED)('a field named %s is rejected, like every unknown field', async (name) => {
    const body = await owner.post('/admin/clients', `{"name": "X", "${name}": 1}`);
    expectProblem(body, 400, 'validation_failed');
    expect(pathsOf(body)).toEqual([name]);
    expectProblem(await owner.get(`/admin/clients?${name}=1`), 400, 'validation_failed');
    const nested = await owner.post(
      `${assets}/upload-session/finalize`,
      `{"uploadToken": "x", "parts": [{"partNumber": 1, "etag": "x", "${name}": 1}]}`,
    );
    expectProblem(nested, 400, 'validation_failed');
  });

  it.each(['0x10', '1e1', '0b1', '%205', '5%20', '+5', '-5', '5.0', '٥', '5n', '9'.repeat(400)])(
    'limit=%s is not a number',
    async (limit) => {
      for (const list of [
        '/admin/audit',
        '/admin/clients',
        assets,
        `${assets}/trash`,
        `/admin/clients/${clientId}/audit`,
      ]) {
        const response = await owner.get(`${list}?limit=${limit}`);
        expectProblem(response, 400, 'validation_failed');
        expect([...new Set(pathsOf(response))]).toEqual(['limit']);
      }
    },
  );

  describe('a date', () => {
    const integration = (lastVerifiedAt: unknown) =>
      owner.put(`/admin/clients/${clientId}/integrations/wordpress`, {
        name: 'X',
        state: 'connected',
        lastVerifiedAt,
      });
    const connection = (tokenExpiresAt: unknown) =>
      owner.put('/admin/google-ads/connections/dates', { clientId, state: 'connected', tokenExpiresAt });
    const key = (expiresAt: unknown) =>
      owner.post('/admin/api-keys', { name: 'X', role: 'agent', clientIds: [clientId], expiresAt });

    it.each([
      '2031-02-30T00:00:00Z',
      '2031-04-31',
      '2031-02-29T00:00:00Z',
      '2031-13-01T00:00:00Z',
      '2031-01-01T24:00:00Z',
      '2031-01-01T00:60:00Z',
      '-004714-01-01T00:00:00Z',
      '-271821-04-20T00:00:00Z',
      '+275760-09-13T00:00:00Z',
      '+010000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
      '0000-01-01T00:00:00Z',
      '1969-12-31T23:59:59Z',
      '2031-01-01T00:00:00',
      'Jan 1 2031',
      '2031',
      '',
      1924992000000,
      [],
      ['2031-01-01T00:00:00Z'],
    ])('%j is rejected', async (value) => {
      for (const [path, response] of [
        ['lastVerifiedAt', await integration(value)],
        ['tokenExpiresAt', await connection(value)],
        ['expiresAt', await key(value)],
      ] as const) {
        expectProblem(response, 400, 'validation_failed');
        expect([...new Set(pathsOf(response))]).toEqual([path]);
      }
    });

    it.each([
      ['2032-02-29T23:59:59Z', '2032-02-29T23:59:59.000Z'],
      ['2031-01-01', '2031-01-01T00:00:00.000Z'],
      ['2031-01-01T02:00+02:00', '2031-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ])('%s is stored unchanged', async (value, stored) => {
      expect((await integration(value)).body.lastVerifiedAt).toBe(stored);
      expect((await connection(value)).body.tokenExpiresAt).toBe(stored);
      expect((await key(value)).body.expiresAt).toBe(stored);
    });
  });

  it('a crafted cursor is rejected by every list', async () => {
    const lists = [
      '/admin/clients',
      '/admin/users',
      '/auth/sign-ins',
      '/admin/api-keys',
      '/admin/audit',
      `/admin/clients/${clientId}/audit`,
      `/admin/clients/${clientId}/ads-connections`,
      `/admin/clients/${clientId}/landing-pages`,
      `/admin/clients/${clientId}/seo-agents`,
      `${assets}/trash`,
      ...['newest', 'oldest', 'title', 'size'].map((sort) => `${assets}?sort=${sort}`),
    ];
    const positions: unknown[] = [null, 5, {}, [], [null], '\u0000', { id: randomUUID() }];
    for (const sort of ['newest', 'oldest', 'size']) {
      for (const sortKey of [
        '0000-01-01T00:00:00.000Z',
        '0001-01-01T00:00:00.000Z',
        '2026-02-30T00:00:00.000Z',
        '2026-01-01T24:00:00.000Z',
        '9'.repeat(15) + '9',
        '-1',
        '1e5',
        '',
      ])
        positions.push([sort, sortKey, randomUUID()]);
    }
    for (const list of lists) {
      for (const position of positions) {
        const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
        const response = await owner.get(`${list}${list.includes('?') ? '&' : '?'}cursor=${cursor}`);
        expectProblem(response, 400, 'validation_failed');
        expect(pathsOf(response)).toEqual(['cursor']);
      }
    }
  });
});
