import { TypeID } from 'typeid-js';
import { v4, v7 } from 'uuid';
import { parseAssetId, toAssetRef } from './asset-ref.js';

const IDS = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01234567-89ab-7def-bedc-ba9876543210',
  ...Array.from({ length: 200 }, (_, index) => (index % 2 ? v4() : v7())),
];

it('spells an id as the TypeID library does', () => {
  expect(IDS.map(toAssetRef)).toEqual(IDS.map((id) => TypeID.fromUUID('asset', id).toString()));
});

it('reads back what it wrote, and takes an id in any case', () => {
  for (const id of IDS) {
    expect(parseAssetId(toAssetRef(id))).toBe(id);
    expect(toAssetRef(id.toUpperCase())).toBe(toAssetRef(id));
  }
});
