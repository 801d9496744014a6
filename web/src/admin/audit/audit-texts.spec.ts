import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import admin from '../../i18n/en/admin.json';
import { ACTIVITY_KINDS } from './activity-search';

const SRC = join(__dirname, '../../../../src');

/** The actions in the files that record events. */
const recorded = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(join(SRC, file), 'utf8'))
  .filter((text) => text.includes('AuditService'))
  .flatMap((text) => [...text.matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action!));
const actions = [...new Set(recorded)].sort();

describe('Every action that the service records', () => {
  it('has a text', () => {
    expect(actions.length).toBeGreaterThan(35);
    const texts: Record<string, string> = admin.audit.actions;
    expect(actions.filter((action) => texts[action.replace('.', '_')] === undefined)).toEqual([]);
  });

  it('is found by exactly one type of activity', () => {
    const kindsOf = (action: string) =>
      Object.entries(ACTIVITY_KINDS)
        .filter(([, patterns]) =>
          patterns.some((each) => (each.endsWith('.') ? action.startsWith(each) : action === each)),
        )
        .map(([kind]) => kind);
    expect(actions.filter((action) => kindsOf(action).length !== 1)).toEqual([]);
  });
});
