import { controlStateOf, type InstallationRecord } from './control.rules.js';
import { formatMarker, parseMarker } from './marker.js';

const ID = '0198a3c4-7b1e-7cc0-8f5e-2f5d1c9a7b10';
const record: InstallationRecord = {
  id: ID,
  nonce: 'n1',
  nextNonce: null,
  isFamiliar: true,
  isHeld: true,
  hasAdvanced: true,
  isDue: false,
  isNewerSchema: false,
};
const marker = (text: string) => parseMarker(text);

describe('controlStateOf', () => {
  it.each<[string, Partial<InstallationRecord>, string | null, string]>([
    ['the current nonce', {}, `${ID} owned n1`, 'ok'],
    ['the next nonce, after a crash', { nextNonce: 'n2' }, `${ID} owned n2`, 'ok'],
    ['the current nonce, although the next one is stored', { nextNonce: 'n2' }, `${ID} owned n1`, 'ok'],
    ['the first nonce, after a crash', { nonce: null, nextNonce: 'n1' }, `${ID} owned n1`, 'ok'],
    ['a bucket that was taken over', {}, `${ID} taken_over n1`, 'ok'],
    ['a nonce that only another copy knows', {}, `${ID} owned n2`, 'behind'],
    ['a nonce of an earlier time', { nonce: 'n3', nextNonce: 'n4' }, `${ID} owned n2`, 'behind'],
    ['a nonce, and none in the database', { nonce: null, isFamiliar: false }, `${ID} owned n1`, 'behind'],
    ['a database that was restored', { isFamiliar: false }, `${ID} owned n1`, 'copy'],
    [
      'a restored one that knows the next nonce',
      { isFamiliar: false, nextNonce: 'n2' },
      `${ID} owned n2`,
      'copy',
    ],
    ['a server that has just started', { isHeld: false }, `${ID} owned n1`, 'waiting'],
    ['one of several copies that have waited', { hasAdvanced: false }, `${ID} owned n1`, 'waiting'],
    ['a server that has just started, behind', { isHeld: false }, `${ID} owned n2`, 'behind'],
    ['a newer schema', { isNewerSchema: true }, `${ID} owned n1`, 'newer_schema'],
    ['a copy with a newer schema', { isNewerSchema: true, isFamiliar: false }, `${ID} owned n1`, 'copy'],
    ['a marker without a nonce', {}, ID, 'unclaimed'],
    ['a marker without a nonce after a takeover', {}, `${ID} taken_over`, 'unclaimed'],
    ['no marker', {}, null, 'unclaimed'],
    ['a marker of another installation', {}, 'another owned n1', 'other_installation'],
  ])('%s', (_name, facts, text, state) => {
    expect(controlStateOf({ ...record, ...facts }, text === null ? null : marker(text))).toBe(state);
  });
});

describe('The marker', () => {
  it('is the same after writing and reading it', () => {
    for (const flag of ['owned', 'unverified', 'taken_over'] as const) {
      const written = { installationId: ID, flag, nonce: 'n1' };
      expect(parseMarker(formatMarker(written))).toEqual(written);
    }
  });

  it('may have no nonce', () => {
    expect(parseMarker(`${ID}\n`)).toEqual({ installationId: ID, flag: 'owned', nonce: null });
    expect(parseMarker('')).toEqual({ installationId: '', flag: 'owned', nonce: null });
  });
});
