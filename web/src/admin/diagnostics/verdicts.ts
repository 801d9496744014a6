import type { Schemas } from '../../api/client';
import type { Messages } from '../../i18n/messages';
import type { Tone } from '../../ui/Badge';

type Texts = Messages['admin']['verdicts'];

/** The state of one subject in words, and what to do about it: a group of texts in the catalogue. */
export interface Verdict<Subject extends keyof Texts> {
  readonly key: keyof Texts[Subject];
  readonly tone: Tone;
  /** How many records the sentence is about. */
  readonly count?: number;
}

type Checks = Schemas['StatusDto']['checks'];

export function storageVerdict({ storage, control }: Checks): Verdict<'storage'> {
  if (storage !== 'ok') return { key: storage, tone: storage === 'not_configured' ? 'warning' : 'danger' };
  // Neither is a reason to do something: one ends by itself, and the other follows from another check.
  return control === 'ok' || control === 'waiting' || control === 'unknown'
    ? { key: 'ok', tone: 'success' }
    : { key: 'not_controlled', tone: 'warning' };
}

export function agentsVerdict(agents: readonly Schemas['RuntimeDto'][]): Verdict<'agents'> {
  if (agents.length === 0) return { key: 'none', tone: 'neutral' };
  const failed = agents.filter(({ state }) => state === 'failed').length;
  if (failed > 0) return { key: 'failed', tone: 'danger', count: failed };
  // A stopped agent has nothing to report.
  const silent = agents.filter(({ state, stale }) => stale && state !== 'stopped').length;
  if (silent > 0) return { key: 'silent', tone: 'warning', count: silent };
  return { key: 'ok', tone: 'success', count: agents.length };
}

export function adsVerdict(connections: readonly Schemas['ConnectionDto'][]): Verdict<'ads'> {
  if (connections.length === 0) return { key: 'none', tone: 'neutral' };
  const broken = connections.filter(({ state }) => state !== 'connected').length;
  if (broken > 0) return { key: 'broken', tone: 'danger', count: broken };
  return { key: 'ok', tone: 'success', count: connections.length };
}

export function attributionVerdict(pages: readonly Schemas['LandingPageDto'][]): Verdict<'attribution'> {
  return pages.length === 0
    ? { key: 'none', tone: 'neutral' }
    : { key: 'ok', tone: 'success', count: pages.length };
}

/** The latest of some times in ISO 8601. */
export function latest(times: readonly string[]): string | null {
  return times.reduce<string | null>((last, at) => (last === null || at > last ? at : last), null);
}
