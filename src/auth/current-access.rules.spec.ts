import type { Principal } from '../access/principal.js';
import type { CurrentAccess } from './auth.repository.js';
import { lostAccess } from './current-access.rules.js';

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
const current: CurrentAccess = {
  role: 'agent',
  clientIds: ['a', 'b'],
  surfaces: ['social', 'gbp'],
  isActive: true,
  isOpen: true,
};
const need = { permissions: ['platform:access', 'assets:resolve'], clientId: 'a' } as const;

describe('Access to running work', () => {
  it.each<[string, Partial<CurrentAccess>]>([
    ['nothing has changed', {}],
    ['another client is lost', { clientIds: ['a'] }],
    ['the role has changed but still allows it', { role: 'operator', surfaces: null }],
    ['more surfaces are allowed', { surfaces: null }],
  ])('remains when %s', (_what, change) =>
    expect(lostAccess({ ...current, ...change }, caller, need)).toBeNull(),
  );

  it.each<[string, Partial<CurrentAccess>, string]>([
    ['the key is revoked or the sign-in has ended', { isOpen: false }, 'signed_out'],
    ['the user is deactivated', { isActive: false, isOpen: false }, 'account_inactive'],
    ['the role no longer allows it', { role: 'client_viewer', surfaces: null }, 'permission_denied'],
    ['the client is lost', { clientIds: ['b'] }, 'permission_denied'],
    ['a surface is lost', { surfaces: ['gbp'] }, 'permission_denied'],
  ])('ends when %s', (_what, change, reason) =>
    expect(lostAccess({ ...current, ...change }, caller, need)).toBe(reason),
  );

  it('ends when the caller has been deleted', () =>
    expect(lostAccess(undefined, caller, need)).toBe('signed_out'));

  it('ends when any client is lost, if the work may concern all of them', () =>
    expect(lostAccess({ ...current, clientIds: ['a'] }, caller, { ...need, clientId: undefined })).toBe(
      'permission_denied',
    ));
});
