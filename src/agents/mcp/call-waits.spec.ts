import type { Principal } from '../../access/principal.js';
import { CallWaits } from './call-waits.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const caller = (id: string) => ({ id }) as Principal;

describe('CallWaits', () => {
  it('lets four calls of a caller wait at the same time; a fifth returns without waiting', async () => {
    const waits = new CallWaits();
    const ends: (() => void)[] = [];
    const wait = () => new Promise<void>((resolve) => ends.push(resolve));
    const started = Array.from({ length: 4 }, () => waits.run(caller('a'), wait));
    await waits.run(caller('a'), wait);
    expect(ends).toHaveLength(4);
    const other = waits.run(caller('b'), wait);
    await turn();
    expect(ends).toHaveLength(5);
    ends.forEach((end) => end());
    await Promise.all([...started, other]);
    const next = waits.run(caller('a'), wait);
    await turn();
    expect(ends).toHaveLength(6);
    ends[5]!();
    await next;
  });

  it('passes on errors while waiting', async () => {
    const broken = () => Promise.reject(new Error('the database is gone'));
    await expect(new CallWaits().run(caller('a'), broken)).rejects.toThrow('the database is gone');
  });
});
