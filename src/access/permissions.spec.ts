import type { Surface } from '../database/entities/asset.entity.js';
import {
  type Grant,
  canGrant,
  canManageUser,
  isPortalRole,
  hasAccessTo,
  effectivePermissions,
  permissionsOf,
} from './permissions.js';
import { type Role, ROLES } from '../database/entities/user.entity.js';

const grant = (role: Role, clientIds: string[] | null = null): Grant => ({ role, clientIds });

describe('isPortalRole', () => {
  it('is true for exactly the portal roles', () => {
    expect(ROLES.filter(isPortalRole)).toEqual(['client_manager', 'client_viewer']);
  });
});

describe('hasAccessTo', () => {
  it.each<[string[] | null, boolean]>([
    [null, true],
    [[], false],
    [['a'], false],
    [['a', 'b'], true],
  ])('clients %j have access to client b: %s', (clientIds, expected) => {
    expect(hasAccessTo(grant('operator', clientIds), 'b')).toBe(expected);
  });
});

describe('canManageUser', () => {
  it.each<[Role, Role[]]>([
    ['owner', ['owner', 'operator', 'viewer', 'client_manager', 'client_viewer', 'agent']],
    ['operator', ['client_manager', 'client_viewer']],
    ['viewer', []],
    ['agent', []],
    ['client_manager', []],
  ])('%s manages the roles %j and no other, of its own clients', (holder, managed) => {
    const ofClient = (clientId: string) =>
      ROLES.filter((role) => canManageUser(grant(holder, ['a']), grant(role, [clientId])));
    expect(ofClient('a')).toEqual(managed);
    expect(ofClient('b')).toEqual([]);
  });
});

describe('canGrant', () => {
  it.each<[Role, Role[]]>([
    ['owner', ['owner', 'operator', 'viewer', 'client_manager', 'client_viewer', 'agent']],
    ['client_manager', ['client_manager', 'client_viewer']],
    ['client_viewer', ['client_viewer']],
  ])('%s can grant the roles %j and no other', (holder, held) => {
    expect(ROLES.filter((role) => canGrant(grant(holder), grant(role)))).toEqual(held);
  });

  it('never grants more than its own role', () => {
    expect(canGrant(grant('operator'), grant('owner'))).toBe(false);
    expect(canGrant(grant('viewer'), grant('owner'))).toBe(false);
    expect(canGrant(grant('agent'), grant('operator'))).toBe(false);
    expect(canGrant(grant('client_viewer', ['a']), grant('client_manager', ['a']))).toBe(false);
    expect(canGrant(grant('client_manager', ['a']), grant('viewer', ['a']))).toBe(false);
  });

  it.each<[string[] | null, string[] | null, boolean]>([
    [null, null, true],
    [null, ['a'], true],
    [['a'], null, false],
    [['a'], ['a'], true],
    [['a', 'b'], ['b'], true],
    [['a'], ['a', 'b'], false],
    [['a'], [], true],
    [[], ['a'], false],
    [[], null, false],
  ])('with the clients %j can grant %j: %s', (holder, wanted, expected) => {
    expect(canGrant(grant('owner', holder), grant('viewer', wanted))).toBe(expected);
  });

  it.each<[Surface[] | null, Surface[] | null, boolean]>([
    [null, null, true],
    [null, ['social'], true],
    [['social'], null, false],
    [['social'], ['social'], true],
    [['social', 'gbp'], ['gbp'], true],
    [['social'], ['social', 'website'], false],
  ])('with the surfaces %j can grant %j: %s', (holder, wanted, expected) => {
    const of = (surfaces: Surface[] | null): Grant => ({ ...grant('owner'), surfaces });
    expect(canGrant(of(holder), of(wanted))).toBe(expected);
  });
});

describe('effectivePermissions', () => {
  it('gives a holder limited to surfaces no permission that applies to all surfaces', () => {
    for (const role of ROLES) {
      expect(effectivePermissions(grant(role))).toEqual(permissionsOf(role));
      const held = effectivePermissions({ ...grant(role), surfaces: ['social'] });
      expect([...permissionsOf(role)].filter((permission) => !held.has(permission))).toEqual(
        [...permissionsOf(role)].filter((permission) =>
          /^(portal-users:manage|audit:read(-all)?|assets:(read|write|trash-used)|targets:manage)$/.test(
            permission,
          ),
        ),
      );
    }
  });
});
