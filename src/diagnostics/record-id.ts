import { Problem } from '../common/errors/problem.js';
import { CLIENT_ID_PATTERN } from '../common/ids.js';

/** Reported records are named by the reporter, with the same rules as client ids. */
export function requireRecordId(field: string, id: string): void {
  if (!CLIENT_ID_PATTERN.test(id)) throw Problem.validation(field, 'must be 1–64 letters, digits, _ or -');
}
