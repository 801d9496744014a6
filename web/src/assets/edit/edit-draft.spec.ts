import { ApiProblem } from '../../api/problem';
import type { Asset } from '../../library/asset-types';
import {
  editOf,
  isPatternFault,
  NO_CHANGES,
  numberPlaceholder,
  sharedValue,
  startTyped,
  switchText,
} from './edit-draft';

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

  it('needs a place once these are to be changed', () => {
    expect(editOf({ ...NO_CHANGES, altText: 'x', allowedSurfaces: null })).toBeNull();
  });
});

describe('A text that is switched on', () => {
  const texts = { altText: undefined, description: 'Shared' };

  it('starts with what they share, to replace it', () => {
    const draft = switchText(NO_CHANGES, 'description', true, texts);
    expect(editOf({ ...draft, description: 'New' })).toEqual({ description: 'New' });
    expect(switchText(draft, 'description', false, texts)).toEqual(NO_CHANGES);
  });

  it.each([
    ['differ', undefined],
    ['are empty', ''],
  ])('fills only what is empty if they %s', (_, altText) => {
    const draft = switchText(NO_CHANGES, 'altText', true, { ...texts, altText });
    expect(draft).toMatchObject({ altText: '', onlyEmpty: true });
  });

  it('does not overwrite another text that differs', () => {
    const draft = switchText(NO_CHANGES, 'altText', true, texts);
    expect(switchText(draft, 'description', true, texts).onlyEmpty).toBe(true);
    const reversed = switchText(NO_CHANGES, 'description', true, texts);
    expect(switchText(reversed, 'altText', true, texts).onlyEmpty).toBe(true);
  });

  it('replaces what they share, and fills the other that is empty', () => {
    const shared = { ...texts, altText: '' };
    const draft = switchText(NO_CHANGES, 'altText', true, shared);
    expect(switchText(draft, 'description', true, shared).onlyEmpty).toBe(false);
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

describe('The first number', () => {
  it.each([
    ['1a2', 10, '12'],
    ['', 10, ''],
    ['1000000', 1, '1000000'],
    ['1000000', 11, '999990'],
    ['99999999', 1, '1000000'],
  ])('typed as %p for %d assets becomes %p', (text, count, start) => {
    expect(startTyped(text, count)).toBe(start);
  });
});

describe('A failed preview', () => {
  const problem = (path: string) =>
    new ApiProblem({ status: 400, code: 'validation_failed', errors: [{ path, message: 'is wrong' }] });

  it('is the fault of the pattern only if the API says so', () => {
    expect(isPatternFault(problem('titlePattern'))).toBe(true);
    expect(isPatternFault(problem('startAt'))).toBe(false);
    expect(isPatternFault(ApiProblem.unreachable())).toBe(false);
    expect(isPatternFault(null)).toBe(false);
  });
});
