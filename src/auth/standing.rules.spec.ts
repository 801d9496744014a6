import type { Principal } from '../access/principal.js';
import type { Standing } from './auth.repository.js';
import { lostAccess } from './standing.rules.js';

const caller: Principal = {
  kind: 'api_key',
  id: 'key',
  name: 'Key',
  email: null,
  role: 'agent',
  clientIds: ['a', 'b'],
  surfaces: ['social', 'gbp'],
  signInId: null,
};
const standing: Standing = {
  role: 'agent',
  clientIds: ['a', 'b'],
  surfaces: ['social', 'gbp'],
  isActive: true,
  isOpen: true,
};
const need = { permissions: ['platform:access', 'assets:resolve'], clientId: 'a' } as const;

describe('Access to running work', () => {
  it.each<[string, Partial<Standing>]>([
    ['nothing has changed', {}],
    ['another client is lost', { clientIds: ['a'] }],
    ['the role has changed but still allows it', { role: 'operator', surfaces: null }],
    ['more surfaces are allowed', { surfaces: null }],
  ])('remains when %s', (_what, change) =>
    expect(lostAccess({ ...standing, ...change }, caller, need)).toBeNull(),
  );

  it.each<[string, Partial<Standing>, string]>([
    ['the key is revoked or the sign-in has ended', { isOpen: false }, 'signed_out'],
    ['the user is deactivated', { isActive: false, isOpen: false }, 'account_inactive'],
    ['the role no longer allows it', { role: 'client_viewer', surfaces: null }, 'permission_denied'],
    ['the client is lost', { clientIds: ['b'] }, 'permission_denied'],
    ['a surface is lost', { surfaces: ['gbp'] }, 'permission_denied'],
  ])('ends when %s', (_what, change, reason) =>
    expect(lostAccess({ ...standing, ...change }, caller, need)).toBe(reason),
  );

  it('ends when the caller has been deleted', () =>
    expect(lostAccess(undefined, caller, need)).toBe('signed_out'));

  it('ends when any client is lost, if the work may concern all of them', () =>
    expect(lostAccess({ ...standing, clientIds: ['a'] }, caller, { ...need, clientId: undefined })).toBe(
      'permission_denied',
    ));
});
