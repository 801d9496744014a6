import type { Asset } from '../../library/asset-types';
import { editOf, NO_CHANGES, numberPlaceholder, sharedValue } from './edit-draft';

describe('An edit of many assets', () => {
  it('contains only the fields that are not left as they are', () => {
    expect(editOf(NO_CHANGES)).toBeNull();
    expect(editOf({ ...NO_CHANGES, altText: ' A plate ' })).toEqual({ altText: 'A plate', onlyEmpty: true });
    expect(editOf({ ...NO_CHANGES, description: '', onlyEmpty: false })).toEqual({ description: '' });
    expect(editOf({ ...NO_CHANGES, allowedSurfaces: [] })).toEqual({ allowedSurfaces: [] });
    expect(editOf({ ...NO_CHANGES, titlePattern: '{n}', startAt: '' })).toEqual({
      titlePattern: '{n}',
      startAt: 1,
    });
  });

  it('does nothing for tags before there are some, and needs a title', () => {
    expect(editOf({ ...NO_CHANGES, tags: { add: [], remove: [] } })).toBeNull();
    expect(editOf({ ...NO_CHANGES, tags: { add: ['a'], remove: [] } })).toEqual({ addTags: ['a'] });
    expect(editOf({ ...NO_CHANGES, altText: 'x', titlePattern: ' ' })).toBeNull();
  });
});

describe('The value of many assets', () => {
  const of = (...tags: string[][]) =>
    sharedValue(
      tags.map((each) => ({ tags: each }) as Asset),
      (a) => a.tags,
    );

  it('is the one that they share', () => {
    expect(of(['a'], ['a'])).toEqual(['a']);
    expect(of([], [])).toEqual([]);
    expect(of(['a'], ['b'])).toBeUndefined();
  });
});

describe('Numbers in titles', () => {
  it.each([
    [9, '{n}'],
    [10, '{n:2}'],
    [1_200, '{n:4}'],
  ])('up to %d are written as %s', (last, placeholder) => {
    expect(numberPlaceholder(last)).toBe(placeholder);
  });
});
