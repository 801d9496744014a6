import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Priority } from '../common/fair-limiter.js';
import { lowPriority } from './decoder-child.js';
import { DecoderPool } from './decoder-pool.js';
import { MediaDecoder } from './media-decoder.js';
import { mediaDefaults } from './media-defaults.js';
import {
  DecoderKilledError,
  MediaError,
  MediaSourceError,
  MediaUnavailableError,
  type MediaOptions,
} from './media.types.js';

/** A child that follows the instructions in its "file". */
const STUB = `
const fs = require('node:fs');
const reply = (more) => process.send({ rss: 1, mustRestart: false, ...more });
const facts = (width) => reply({ kind: 'facts', facts: { width, height: 1, durationMs: null, takenAt: '2026-01-02T03:04:05.000Z', placeholder: null } });
process.on('disconnect', () => process.exit(0));
process.on('message', ({ kind, sizeBytes, bytes }) => {
  if (kind === 'inspect') return process.send({ kind: 'read', start: 0, end: sizeBytes });
  const [order, detail] = Buffer.from(bytes).toString().split('=');
  if (order === 'pid') facts(process.pid);
  if (order === 'env') reply({ kind: 'refused', code: 'media_invalid', message: JSON.stringify(process.env) });
  if (order === 'crash') process.kill(process.pid, 'SIGSEGV');
  if (order === 'crash-once') { if (fs.existsSync(detail)) facts(7); else { fs.writeFileSync(detail, ''); process.exit(3); } }
  if (order === 'end') process.kill(process.pid, detail);
  if (order === 'end-once') { const [signal, marker] = detail.split(','); if (fs.existsSync(marker)) facts(7); else { fs.writeFileSync(marker, ''); process.kill(process.pid, signal); } }
  if (order === 'kill-then-crash') { if (fs.existsSync(detail)) process.exit(3); fs.writeFileSync(detail, ''); process.kill(process.pid, 'SIGKILL'); }
  if (order === 'greedy') { for (let i = 0; i < 200; i++) process.send({ kind: "read", start: 0, end: 1 }); }
  if (order === 'memory') process.kill(process.pid, 'SIGUSR2');
  if (order === 'spin') { fs.writeFileSync(detail || '/dev/null', String(process.pid)); for (;;); }
  if (order === 'slow') setTimeout(() => facts(process.pid), Number(detail));
  if (order === 'large') reply({ kind: 'refused', code: 'media_invalid', message: String(process.pid), rss: 1e12 });
  if (order === 'mustRestart') reply({ kind: 'refused', code: 'media_invalid', message: String(process.pid), mustRestart: true });
});
process.send({ kind: 'ready' });
`;

describe('the pool of decoder children', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pool-'));
  const entry = join(folder, 'stub.cjs');
  let pool: DecoderPool;
  let decoder: MediaDecoder;
  const start = (changed: Partial<MediaOptions> = {}) => {
    const options = { ...mediaDefaults, entry, imageTimeLimitMs: 600, decoders: 4, ...changed };
    pool = new DecoderPool(options);
    decoder = new MediaDecoder(pool, options);
  };
  const order = (text: string, signal?: AbortSignal) => orderFor('a', 'interactive', text, signal);
  const orderFor = (clientId: string, priority: Priority, text: string, signal?: AbortSignal) => {
    const path = join(folder, randomUUID());
    writeFileSync(path, text);
    const source = { kind: 'file' as const, path };
    return decoder.inspect({ clientId, priority }, source, 'image/png', signal).then(({ facts }) => facts);
  };
  const pid = async () => (await order('pid')).width;
  const refusal = (path: string) => order(path).catch((error: Error) => error.message);

  beforeAll(() => writeFileSync(entry, STUB));
  afterEach(() => pool.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  it('starts a child when needed and uses it again', async () => {
    start();
    expect(pool.pids()).toEqual([]);
    const first = await pid();
    expect(await pid()).toBe(first);
    expect(pool.pids()).toEqual([first]);
    expect((await order('pid')).takenAt).toEqual(new Date('2026-01-02T03:04:05Z'));
  });

  it('passes no secrets to children', async () => {
    process.env.STORAGE_SECRET_ACCESS_KEY = 'very-secret';
    start();
    expect(await refusal('env')).not.toContain('very-secret');
    delete process.env.STORAGE_SECRET_ACCESS_KEY;
  });

  it('blames a crash on the file only when a fresh child crashes too', async () => {
    start();
    const before = await pid();
    await expect(order(`crash-once=${join(folder, 'marker')}`)).resolves.toMatchObject({ width: 7 });
    await expect(order('crash')).rejects.toBeInstanceOf(MediaError);
    await expect(order('crash')).rejects.toMatchObject({ code: 'media_invalid' });
    expect(await pid()).not.toBe(before);
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])('never blames the file for %s', async (signal) => {
    start();
    await expect(order(`end=${signal}`)).rejects.toBeInstanceOf(DecoderKilledError);
    await expect(order(`end-once=${signal},${join(folder, signal)}`)).resolves.toMatchObject({ width: 7 });
  });

  it('does not count a kill as one of the two crashes that prove that the file is the cause', async () => {
    start();
    await expect(order(`kill-then-crash=${join(folder, 'mixed')}`)).rejects.toBeInstanceOf(
      DecoderKilledError,
    );
  });

  it('blames the file for crashes only while there is memory to spare', async () => {
    start({ hasFreeMemory: () => false });
    await expect(order('crash')).rejects.toBeInstanceOf(DecoderKilledError);
  });

  it.each(['greedy', 'end=SIGXCPU'])('blames the file if we had to end its child (%s)', async (text) => {
    start();
    await expect(order(text)).rejects.toMatchObject({ name: 'MediaError', code: 'media_invalid' });
  });

  it('blames no file for an idle child that was killed', async () => {
    start();
    process.kill(await pid(), 'SIGKILL');
    await expect(order('pid')).resolves.toMatchObject({ height: 1 });
  });

  it('decodes everything in one child if there is memory for only one', async () => {
    start({ decoders: 1, imageTimeLimitMs: 10_000 });
    const ended: string[] = [];
    await Promise.all([
      orderFor('a', 'background', 'slow=300').then(() => ended.push('first')),
      orderFor('b', 'background', 'pid').then(() => ended.push('background')),
      orderFor('c', 'interactive', 'pid').then(() => ended.push('interactive')),
    ]);
    expect(ended).toEqual(['first', 'interactive', 'background']);
    expect(pool.pids()).toHaveLength(1);
  });

  it('kills a child that hangs, blames the file, and continues', async () => {
    start();
    const note = join(folder, 'spinning');
    await expect(order(`spin=${note}`)).rejects.toMatchObject({ code: 'media_invalid' });
    expect(() => process.kill(Number(readFileSync(note, 'utf8')), 0)).toThrow('ESRCH');
    await expect(pid()).resolves.toBeGreaterThan(0);
  });

  it('does not blame the file for a timeout while its source is read, or while the child gets no CPU', async () => {
    start({ imageTimeLimitMs: 200 });
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    const owner = { clientId: 'a', priority: 'interactive' as const };
    const started = Date.now();
    const reading = decoder.inspect(owner, { kind: 'url', url, sizeBytes: 10 }, 'image/png');
    await expect(reading).rejects.toBeInstanceOf(MediaSourceError);
    expect(Date.now() - started).toBeLessThan(5_000);
    silent.close();
    await expect(order('hang')).rejects.toBeInstanceOf(MediaUnavailableError);
  });

  it('rejects a file that needs too much memory without a second attempt', async () => {
    start();
    await expect(order('memory')).rejects.toMatchObject({
      code: 'media_invalid',
      message: expect.stringContaining('memory'),
    });
  });

  it.each(['large', 'mustRestart'])('replaces a child that is %s', async (kind) => {
    start();
    const first = await refusal(kind);
    expect(await refusal(kind)).not.toBe(first);
  });

  it('replaces a child after a number of jobs, and stops idle ones', async () => {
    start({ maxJobsPerChild: 2, idleMs: 100 });
    const pids = [await pid(), await pid(), await pid()];
    expect(pids[1]).toBe(pids[0]);
    expect(pids[2]).not.toBe(pids[0]);
    await sleep(400);
    expect(pool.pids()).toEqual([]);
  });

  it('runs as many files at a time as it has children, each in its own', async () => {
    start({ decoders: 6 });
    const widths = await Promise.all([1, 2, 3, 4].map(async () => (await order('slow=150')).width));
    expect(new Set(widths).size).toBe(2);
    expect(pool.pids()).toHaveLength(2);
  });

  it('keeps a child for other clients while one client decodes slow files', async () => {
    start({ decoders: 6, imageTimeLimitMs: 10_000 });
    const slow = Array.from({ length: 8 }, () => order('slow=600'));
    const others = ['b', 'c', 'd'].map((clientId) => orderFor(clientId, 'interactive', 'pid'));
    await expect(Promise.race([...slow, Promise.all(others)])).resolves.toHaveLength(3);
    await Promise.all(slow);
  });

  it('decodes foreground work first, then background work', async () => {
    start({ imageTimeLimitMs: 10_000 });
    const ended: string[] = [];
    const first = [order('slow=300'), orderFor('b', 'interactive', 'slow=300')];
    const work = [
      orderFor('c', 'background', 'pid').then(() => ended.push('background')),
      orderFor('d', 'interactive', 'pid').then(() => ended.push('interactive')),
    ];
    await Promise.all([...first, ...work]);
    expect(ended).toEqual(['interactive', 'background']);
  });

  it('gives background work separate children at low priority, so that people never wait for it', async () => {
    start({ imageTimeLimitMs: 10_000 });
    const note = join(folder, 'encoding');
    const stop = new AbortController();
    const background = ['a', 'b', 'c'].map((clientId) =>
      orderFor(clientId, 'background', `spin=${note}`, stop.signal),
    );
    const stopped = Promise.allSettled(background);
    while (!existsSync(note) || readFileSync(note, 'utf8') === '') await sleep(20);
    const child = await pid();
    expect(pool.pids('interactive')).toEqual([child]);
    expect(pool.pids('background')).not.toContain(child);
    for (const each of pool.pids('background')) expect(getPriority(each)).toBe(lowPriority());
    expect(getPriority(child)).toBe(getPriority());
    stop.abort(new Error('enough'));
    await stopped;
  });

  it('limits the queue of each client', async () => {
    start({ maxQueuedPerClient: 1 });
    const work = [order('slow=200'), order('slow=200')];
    await expect(order('pid')).rejects.toBeInstanceOf(MediaUnavailableError);
    await expect(orderFor('b', 'interactive', 'pid')).resolves.toMatchObject({ height: 1 });
    await expect(Promise.all(work)).resolves.toHaveLength(2);
  });

  it('limits its queue', async () => {
    start({ maxQueued: 1 });
    const work = [order('slow=100'), order('slow=100')];
    await expect(order('pid')).rejects.toBeInstanceOf(MediaUnavailableError);
    await expect(Promise.all(work)).resolves.toHaveLength(2);
  });

  it('can be aborted while a child starts', async () => {
    start();
    const starting = new AbortController();
    const work = order('spin', starting.signal);
    await sleep(10);
    starting.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
    await expect(pid()).resolves.toBeGreaterThan(0);
  });

  it('can be aborted while waiting and while running', async () => {
    start({ imageTimeLimitMs: 5_000 });
    const note = join(folder, 'aborted');
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = order(`spin=${note}`, running.signal);
    const second = order('pid', waiting.signal);
    waiting.abort(new Error('left the queue'));
    await expect(second).rejects.toThrow('left the queue');
    while (!existsSync(note) || readFileSync(note, 'utf8') === '') await sleep(20);
    running.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    await expect(pid()).resolves.toBeGreaterThan(0);
    await expect(order('pid', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });

  it('does not blame the file when no child can be started', async () => {
    const broken = join(folder, 'broken.cjs');
    writeFileSync(broken, 'throw new Error("no such library")');
    start({ entry: broken });
    await expect(order('pid')).rejects.toBeInstanceOf(MediaUnavailableError);
    await pool.close();
    writeFileSync(broken, 'setInterval(() => {}, 1000)');
    start({ entry: broken, startTimeoutMs: 300 });
    await expect(order('pid')).rejects.toBeInstanceOf(MediaUnavailableError);
  });

  it('closes with running work: every caller gets a result and no child is left', async () => {
    start();
    const results = Promise.allSettled([order('slow=5000'), order('pid')]);
    await sleep(200);
    const pids = pool.pids();
    await pool.close();
    for (const result of await results) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(MediaUnavailableError) });
    }
    for (const child of pids) expect(() => process.kill(child, 0)).toThrow('ESRCH');
    await expect(order('pid')).rejects.toBeInstanceOf(MediaUnavailableError);
  });
});
