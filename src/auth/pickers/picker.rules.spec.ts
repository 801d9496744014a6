import { effectivePermissions, type Grant } from '../../access/permissions.js';
import { holdsPicker } from './picker.rules.js';

const reading = { clientId: 'a', uploads: false };
const uploading = { clientId: 'a', uploads: true };

describe('A picker', () => {
  it.each<[string, Grant, boolean, boolean]>([
    ['an operator of all clients', { role: 'operator', clientIds: null }, true, true],
    ['an operator of the client', { role: 'operator', clientIds: ['a'] }, true, true],
    ['a viewer', { role: 'viewer', clientIds: ['a'] }, true, false],
    ['an operator of another client', { role: 'operator', clientIds: ['b'] }, false, false],
    [
      'a key that is limited to surfaces',
      { role: 'operator', clientIds: null, surfaces: ['social'] },
      false,
      false,
    ],
    ['an agent', { role: 'agent', clientIds: null }, false, false],
    ['a portal user', { role: 'client_manager', clientIds: ['a'] }, false, false],
  ])('lasts while its maker holds what it allows: %s', (_who, maker, mayRead, mayUpload) => {
    expect(holdsPicker(maker, reading)).toBe(mayRead);
    expect(holdsPicker(maker, uploading)).toBe(mayUpload);
  });

  it('can only read, and write if it may upload, whatever its maker holds', () => {
    const held = (uploads: boolean) =>
      [
        ...effectivePermissions({
          role: 'owner',
          clientIds: null,
          surfaces: ['social'],
          picker: { uploads },
        }),
      ].sort();
    expect(held(false)).toEqual(['assets:read', 'platform:access']);
    expect(held(true)).toEqual(['assets:read', 'assets:write', 'platform:access']);
  });
});
