import type { Step } from '../shared/StepList';

/** All steps: a verification ends with the first that fails, so the others have not been checked. */
export function allSteps(names: readonly string[], tried: readonly Step[]): Step[] {
  const untried = names.filter((name) => !tried.some(({ step }) => step === name));
  return [...tried, ...untried.map((step) => ({ step, ok: false, skipped: true }))];
}

/** What has to change: what is typed in `Edit`, the address, which cannot be edited, or something at the destination. */
export function remedyFor(tried: readonly Step[]): 'edit' | 'replace' | null {
  const failed = tried.find(({ ok, skipped }) => !ok && !skipped)?.step;
  if (failed === undefined || failed === 'upload-permission') return null;
  return failed === 'credentials' ? 'edit' : 'replace';
}
