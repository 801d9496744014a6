import { activitySearch, auditParameters } from './activity-search';

const ID = '0199a7c2-5c1e-7bb2-9d6a-0f3a8f0c1e2d';

describe('The address of the Activity page', () => {
  it('ignores what is no filter', () => {
    expect(activitySearch({ kind: 'trash', who: ' ', from: '2026-11-19', to: 'soon', about: ['x'] })).toEqual(
      {
        kind: 'trash',
        from: '2026-11-19',
      },
    );
  });

  it('names whole days of the reader, the last one included', () => {
    const { from, to } = auditParameters({ from: '2026-11-17', to: '2026-11-17' });
    expect([from, to]).toEqual(
      [new Date(2026, 10, 17), new Date(2026, 10, 18)].map((day) => day.toISOString()),
    );
  });

  it.each([
    ['anna', 'name:anna'],
    [ID.toUpperCase(), ID],
    ['System', 'system'],
    ['Agency', 'agency'],
    ['  ', undefined],
  ])('finds %j as %j', (who, actor) => {
    expect(auditParameters({ who }).actor || undefined).toBe(actor);
  });
});
