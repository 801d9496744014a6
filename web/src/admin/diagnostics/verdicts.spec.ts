import type { Schemas } from '../../api/client';
import { adsVerdict, agentsVerdict, storageVerdict } from './verdicts';

const agent = (state: Schemas['RuntimeDto']['state'], stale = false): Schemas['RuntimeDto'] => ({
  agentId: 'seo-1',
  clientId: 'demo',
  state,
  stale,
  task: null,
  detail: null,
  lastHeartbeatAt: '2026-01-01T00:00:00.000Z',
});

describe('The verdict about agents', () => {
  it('names the worst first: a failure, then silence', () => {
    expect(agentsVerdict([])).toMatchObject({ key: 'none' });
    expect(agentsVerdict([agent('running'), agent('idle')])).toMatchObject({ key: 'ok', count: 2 });
    expect(agentsVerdict([agent('running', true), agent('idle')])).toMatchObject({ key: 'silent', count: 1 });
    expect(agentsVerdict([agent('running', true), agent('failed')])).toMatchObject({
      key: 'failed',
      count: 1,
    });
  });

  it('does not expect reports from an agent that was stopped', () => {
    expect(agentsVerdict([agent('stopped', true)])).toMatchObject({ key: 'ok' });
  });
});

describe('The verdict about advertising connections', () => {
  const connection = (state: Schemas['ConnectionDto']['state']): Schemas['ConnectionDto'] => ({
    connectionId: 'main',
    provider: 'google',
    clientId: 'demo',
    state,
    accountId: null,
    tokenExpiresAt: null,
    lastCheckedAt: '2026-01-01T00:00:00.000Z',
    detail: null,
  });

  it('counts every connection that no longer works', () => {
    expect(adsVerdict([connection('connected')])).toMatchObject({ key: 'ok' });
    expect(adsVerdict([connection('connected'), connection('expired'), connection('revoked')])).toMatchObject(
      {
        key: 'broken',
        count: 2,
      },
    );
  });
});

describe('The verdict about storage', () => {
  const verdict = (storage: 'ok' | 'forbidden', control: 'ok' | 'waiting' | 'copy') =>
    storageVerdict({ database: 'ok', queue: 'ok', temp: 'ok', storage, control }).key;

  it('is fine while control only has to be waited for, and otherwise says what does not work', () => {
    expect(verdict('ok', 'ok')).toBe('ok');
    expect(verdict('ok', 'waiting')).toBe('ok');
    expect(verdict('ok', 'copy')).toBe('not_controlled');
    expect(verdict('forbidden', 'ok')).toBe('forbidden');
  });
});
