import type { Config } from '../config/config.js';
import { BucketControl } from './bucket-control.js';
import type { InstallationRecord } from './control.rules.js';
import type { Installation, StoredMarker } from './installation.js';
import type { InstallationRepository } from './installation.repository.js';
import type { StorageService } from './storage.service.js';

const ID = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';

function controlWith(nonce: string) {
  const record: InstallationRecord = {
    id: ID,
    nonce,
    nextNonce: null,
    isFamiliar: true,
    isHeld: true,
    hasAdvanced: true,
    isDue: false,
    isNewerSchema: false,
  };
  const marker: StoredMarker = { installationId: ID, flag: 'owned', nonce: 'n1', etag: 'e' };
  const readMarker = jest.fn(() => Promise.resolve(marker));
  const control = new BucketControl(
    { readMarker } as unknown as Installation,
    { find: () => Promise.resolve(record) } as unknown as InstallationRepository,
    { isReadOnly: false } as StorageService,
    { storage: { configured: false, missing: [] } } as unknown as Config,
  );
  return { control, readMarker };
}

describe('BucketControl', () => {
  it.each([
    ['n1', true],
    ['n0', false],
  ])('does not read the marker again for every deletion (database with %s)', async (nonce, allowed) => {
    const { control, readMarker } = controlWith(nonce);
    expect(await control.mayDelete()).toBe(allowed);
    const reads = readMarker.mock.calls.length;
    for (let job = 0; job < 100; job++) expect(await control.mayDelete()).toBe(allowed);
    expect(readMarker).toHaveBeenCalledTimes(reads);
  });
});
