import { FreshPictures, isKeptAsFile, type UploadedPicture } from './fresh-pictures.js';

const MIB = 1024 * 1024;
const picture = (bytes: number): UploadedPicture => ({
  kind: 'pixels',
  picture: { width: 1, height: 1, channels: 3, data: new Uint8Array(bytes) },
});
const file = (bytes: number): UploadedPicture => ({ kind: 'bytes', bytes: Buffer.alloc(bytes) });
const asset = (id: string) => ({ id, width: 4000, height: 3000 });

describe('FreshPictures', () => {
  it('keeps pictures with the size of their original until they are deleted', () => {
    const pictures = new FreshPictures();
    const small = picture(12);
    pictures.put(asset('a'), small);
    expect(pictures.get('a')).toEqual({ uploaded: small, original: { width: 4000, height: 3000 } });
    pictures.delete('a');
    pictures.delete('a');
    expect(pictures.get('a')).toBeUndefined();
  });

  it('stays within its memory limit by removing the oldest', () => {
    const pictures = new FreshPictures();
    for (const id of ['a', 'b', 'c', 'd']) pictures.put(asset(id), picture(16 * MIB));
    pictures.put(asset('b'), picture(16 * MIB));
    pictures.delete('c');
    pictures.put(asset('e'), picture(16 * MIB));
    pictures.put(asset('f'), file(16 * MIB));
    expect(['a', 'b', 'c', 'd', 'e', 'f'].filter((id) => pictures.get(id))).toEqual(['b', 'd', 'e', 'f']);
  });

  it('keeps small JPEGs as files, because only those can be decoded again without much work', () => {
    expect(isKeptAsFile('image/jpeg', 200_000)).toBe(true);
    expect(isKeptAsFile('image/jpeg', MIB)).toBe(false);
    for (const type of ['image/png', 'image/webp', 'image/heic'] as const)
      expect(isKeptAsFile(type, 200_000)).toBe(false);
  });
});
