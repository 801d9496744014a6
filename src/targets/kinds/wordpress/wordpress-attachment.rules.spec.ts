import { attachmentIn, attachmentsIn, lacksSizes, stateOf } from './wordpress-attachment.rules.js';

const SOURCE = { now: new Date('2026-11-15T12:00:00Z'), conceal: (text: string) => text };
const record = (details: object = {}, other: object = {}) => ({
  id: 7,
  slug: 'cal-1',
  source_url: 'https://site.example/a.jpg',
  date_gmt: '2026-11-15T11:59:00',
  media_type: 'image',
  media_details: { filesize: 1000, sizes: { full: {} }, ...details },
  ...other,
});
const read = (details?: object, other?: object) => attachmentIn(record(details, other), SOURCE)!;
const old = { date_gmt: '2026-11-15T11:57:00' };

describe('attachmentIn', () => {
  it('parses an attachment of WordPress', () => {
    expect(read()).toEqual({
      id: 7,
      slug: 'cal-1',
      url: 'https://site.example/a.jpg',
      ageMs: 60_000,
      isImage: true,
      fileSize: 1000,
      isDerived: false,
      hasSizes: true,
    });
  });

  it("accepts PHP's serialization of numbers and empty maps", () => {
    expect(read({ filesize: '1000', sizes: [] })).toMatchObject({ fileSize: 1000, hasSizes: false });
    expect(attachmentIn({ ...record(), media_details: [] }, SOURCE)).toMatchObject({ fileSize: null });
  });

  it('rejects anything else', () => {
    for (const wrong of [null, 'x', [], {}, { id: '7', slug: 'x' }, { id: -1, slug: 'x' }, { id: 7 }])
      expect(attachmentIn(wrong, SOURCE)).toBeNull();
    expect(attachmentsIn({ code: 'x' }, SOURCE)).toBeNull();
    expect(attachmentsIn([record(), 'x'], SOURCE)).toBeNull();
    expect(attachmentsIn([], SOURCE)).toEqual([]);
  });

  it('never passes on an address that could run a script', () => {
    expect(read({}, { source_url: 'javascript:alert(1)' }).url).toBeNull();
  });
});

describe('stateOf', () => {
  it('is complete when the size is one that was sent', () => {
    expect(stateOf(read(), [900, 1000])).toBe('complete');
  });

  it('is complete when the site scaled or rotated the file', () => {
    expect(stateOf(read({ filesize: 500, original_image: 'a.jpg' }), [1000])).toBe('complete');
  });

  it('waits two minutes for anything else', () => {
    expect(stateOf(read({ filesize: 500 }), [1000])).toBe('unfinished');
    expect(stateOf(read({ filesize: undefined }), [1000])).toBe('unfinished');
    expect(stateOf(read({ filesize: 500 }, old), [1000])).toBe('incomplete');
    expect(stateOf(read({ filesize: undefined }, old), [1000])).toBe('incomplete');
    expect(stateOf(read({ filesize: 500 }, { date_gmt: 'x' }), [1000])).toBe('unfinished');
  });
});

describe('lacksSizes', () => {
  it('is true for a picture whose processing was interrupted', () => {
    expect(lacksSizes(read({ sizes: {} }, old))).toBe(true);
    expect(lacksSizes(read({ sizes: {} }))).toBe(false);
    expect(lacksSizes(read({}, old))).toBe(false);
    expect(lacksSizes(read({ sizes: {} }, { ...old, media_type: 'file' }))).toBe(false);
  });
});
