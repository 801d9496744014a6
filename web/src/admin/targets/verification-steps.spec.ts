import { allSteps, remedyFor } from './verification-steps';

const passed = (step: string) => ({ step, ok: true });
const failed = (step: string) => ({ step, ok: false, cause: 'A cause', fix: 'A fix' });

describe('The steps of a verification', () => {
  it('that follow a failed one have not been checked', () => {
    expect(
      allSteps(['address', 'rest-api', 'credentials', 'upload'], [passed('address'), failed('rest-api')]),
    ).toEqual([
      passed('address'),
      failed('rest-api'),
      { step: 'credentials', ok: false, skipped: true },
      { step: 'upload', ok: false, skipped: true },
    ]);
  });

  it.each([
    ['address', 'replace'],
    ['reachable', 'replace'],
    ['rest-api', 'replace'],
    ['credentials', 'edit'],
    ['upload-permission', null],
  ])('lead to what helps if %s fails', (step, remedy) => {
    expect(remedyFor([failed(step)])).toBe(remedy);
  });

  it('need no remedy if all passed', () => {
    expect(remedyFor([passed('address'), passed('reachable'), passed('credentials')])).toBeNull();
  });
});
