import { originalKey, parseKey, renditionKey, uploadKey } from './object-key.js';

const A = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';
const B = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b11';

describe('object keys', () => {
  it('are parsed into what they were built from', () => {
    expect(parseKey(uploadKey('demo', A))).toEqual({ kind: 'upload', clientId: 'demo', sessionId: A });
    expect(parseKey(originalKey('demo', A, B))).toEqual({
      kind: 'original',
      clientId: 'demo',
      assetId: A,
      attempt: B,
    });
    expect(parseKey(renditionKey('demo', A, 'thumb.webp'))).toEqual({
      kind: 'rendition',
      clientId: 'demo',
      assetId: A,
      rendition: 'thumb.webp',
    });
  });

  it.each([
    ['another prefix', `backups/demo/uploads/${A}`],
    ['an invalid client id', `clients/../uploads/${A}`],
    ['no id', 'clients/demo/uploads/logo.png'],
    ['an id in capitals', `clients/demo/uploads/${A.toUpperCase()}`],
    ['something below an upload', `clients/demo/uploads/${A}/x`],
    ['an original without an attempt', `clients/demo/assets/${A}`],
    ['a rendition named by someone else', `clients/demo/assets/${A}/renditions/../../x`],
    ['a leading slash', `/clients/demo/uploads/${A}`],
    ['nothing', ''],
  ])('are not ours with %s', (_case, key) => {
    expect(parseKey(key)).toBeNull();
  });

  it('cannot be built from anything but ids', () => {
    expect(() => uploadKey('a/b', A)).toThrow();
    expect(() => originalKey('demo', A, '../x')).toThrow();
    expect(() => renditionKey('demo', A, 'a/b')).toThrow();
  });
});
