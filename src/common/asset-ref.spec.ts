import { v4, v7 } from 'uuid';
import { parseAssetId, parseAssetRef, toAssetRef } from './asset-ref.js';

const IDS = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01234567-89ab-7def-bedc-ba9876543210',
  // Of no version of UUIDs: anyone can write such a reference.
  'd3b07384-d113-0ec4-09a3-1a2b3c4d5e6f',
  ...Array.from({ length: 200 }, (_, index) => (index % 2 ? v4() : v7())),
];

describe('assetRef', () => {
  it('encodes an id as a TypeID', () => {
    expect(toAssetRef('01890a5d-ac96-774b-bcce-b302099a8057')).toBe('asset_01h455vb4pex5vsknk084sn02q');
  });

  it('parses what it encoded, and accepts an id in any case', () => {
    for (const id of IDS) {
      expect(parseAssetId(toAssetRef(id))).toBe(id);
      expect(toAssetRef(id.toUpperCase())).toBe(toAssetRef(id));
    }
  });

  it('parses a reference from an agent, only in lower case and with the prefix', () => {
    for (const id of IDS) expect(parseAssetRef(toAssetRef(id))).toBe(id);
    const ref = toAssetRef(IDS[2]!);
    const suffix = ref.slice('asset_'.length);
    for (const wrong of [
      IDS[2],
      suffix,
      ref.toUpperCase(),
      `Asset_${suffix}`,
      `user_${suffix}`,
      `asset-${suffix}`,
      `asset_${suffix}0`,
      `asset_${suffix.slice(1)}`,
      `asset_8${suffix.slice(1)}`,
      `asset_${suffix.slice(0, -1)}u`,
      ` ${ref}`,
      `${ref}\n`,
      '',
      null,
      5,
      [ref],
      { toString: () => ref },
    ])
      expect(parseAssetRef(wrong)).toBeNull();
  });
});
