import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiContract, type ResponseHead } from '../support/contract/api-contract.mjs';

/** Every response that a test receives passes this check: see contract.environment.mjs. */
describe('The check of responses against openapi.json', () => {
  const document = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8'));
  const contract = new ApiContract(document);
  const JSON_TYPE = 'application/json; charset=utf-8';
  const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
  const check = (head: Partial<ResponseHead> & Pick<ResponseHead, 'path'>, body?: unknown) => {
    const checkBody = contract.checkHead({ method: 'GET', status: 200, type: JSON_TYPE, ...head });
    if (body !== undefined) checkBody!(body);
  };
  const problem = (status: number, code: string) => ({
    ...{ type: `urn:asset-library:problem:${code}`, title: 'T', status, detail: 'D', code, requestId: 'r' },
  });
  const time = '2026-01-01T00:00:00.000Z';
  const client = { clientId: 'demo', name: 'Demo', createdAt: time, updatedAt: time };

  it('lets pass what the document declares', () => {
    check({ path: '/admin/clients' }, { clients: [client], nextCursor: null });
    check({ path: '/ADMIN/clients/' }, { clients: [], nextCursor: null });
    check({ path: '/admin/clients', status: 401, type: PROBLEM_TYPE }, problem(401, 'unauthenticated'));
    check({ path: '/portal/assets/1/preview', status: 304, type: null });
    check({ path: '/portal/assets/1/preview', type: 'image/webp' });
    check({ path: '/portal/assets/1/download', type: 'application/octet-stream' });
    check({ path: '/auth/me', method: 'HEAD' });
    check({ path: '/auth/me', method: 'OPTIONS', status: 204, type: null });
  });

  it('finds literal segments before parameters, as the router does', () => {
    expect(() => check({ path: '/portal/assets/tags' }, {})).toThrow(/^listPortalTags /);
    expect(() => check({ path: '/portal/assets/anything' }, {})).toThrow(/^getPortalAsset /);
    expect(() => check({ method: 'DELETE', path: '/portal/assets/trash' }, {})).toThrow(/^purgePortalTrash /);
    expect(() => check({ path: '/admin/google-ads/connections/1' }, {})).toThrow(/^getAdsConnection /);
  });

  it.each<[string, Partial<ResponseHead> & Pick<ResponseHead, 'path'>, unknown, RegExp]>([
    ['an operation', { path: '/admin/everything' }, undefined, /no such operation/],
    ['a method', { path: '/auth/me', method: 'PUT' }, undefined, /no such operation/],
    ['a status', { path: '/auth/me', status: 418 }, undefined, /getCaller .* status 418/],
    ['a media type', { path: '/auth/me', type: 'text/html' }, undefined, /getCaller .* text\/html/],
    [
      'a code',
      { path: '/auth/me', status: 401, type: PROBLEM_TYPE },
      problem(401, 'account_inactive'),
      /getCaller .* code account_inactive/,
    ],
    [
      'a problem of an unknown address',
      { path: '/admin/everything', status: 409, type: PROBLEM_TYPE },
      problem(409, 'bulk_failed'),
      /has the code bulk_failed/,
    ],
    [
      'a member',
      { path: '/admin/clients' },
      { clients: [{ ...client, secret: 1 }], nextCursor: null },
      /additional properties secret/,
    ],
    ['a missing member', { path: '/admin/clients' }, { clients: [] }, /required property 'nextCursor'/],
    ['a type', { path: '/admin/clients' }, { clients: [], nextCursor: 5 }, /nextCursor must be/],
    [
      'a format',
      { path: '/admin/clients' },
      { clients: [{ ...client, createdAt: 'yesterday' }], nextCursor: null },
      /createdAt must match format/,
    ],
  ])('reports %s that the document does not have', (_what, head, body, message) => {
    expect(() => check(head, body)).toThrow(message);
  });
});
