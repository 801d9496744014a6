import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { eventually } from '../../support/eventually.js';
import { childEntry, demoSample, fixture, MediaHarness } from '../../support/media/media-harness.js';

/** A parent that starts a child as the pool does, prints its pid, and waits to be killed. */
const PARENT = `
const [entry, ...execArgv] = process.argv.slice(1);
const child = require('node:child_process').fork(entry, ['2000000000'], { execArgv, env: {} });
child.once('message', () => {
  if (execArgv.length > 0) child.send('spin');
  process.stdout.write(String(child.pid));
});
`;

/** A parent that runs an installed FFmpeg as a decoder does. It is `sleep`, which never looks at its parent. */
const PARENT_OF_INSTALLED = `
const [folder, entry] = process.argv.slice(1);
const [{ createFfmpeg }, { findConfinement }, { mediaDefaults }] = await Promise.all(
  ['ffmpeg-program', 'confinement', 'media-defaults'].map((name) => import(folder + '/' + name + '.js')),
);
const options = { ...mediaDefaults, entry, ffmpegPath: 'sleep', confinement: findConfinement(entry) };
const tell = (pid) => process.stdout.write(String(pid));
await createFfmpeg(options, tell).run(['60'], new Uint8Array(), 1);
`;

/** Keeps the child's main thread busy forever, as a decoder caught in a loop would. */
const SPIN = 'data:text/javascript,process.on("message", () => { for (;;); })';

/** FFmpeg programs that this process has started. */
function ffmpegPids(): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === process.pid && args.join(' ').includes('ffmpeg-wasm'))
    .map(([pid]) => Number(pid));
}

describe('decoder children', () => {
  const outlives = (...execArgv: string[]) => outlivesParent('-e', PARENT, childEntry, ...execArgv);

  async function outlivesParent(...args: string[]): Promise<boolean> {
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const child = Number(await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve)));
    await sleep(600);
    parent.kill('SIGKILL');
    for (let waited = 0; waited < 5_000; waited += 100) {
      await sleep(100);
      if (!isAlive(child)) return false;
    }
    process.kill(child, 'SIGKILL');
    return true;
  }

  it('end with a parent that was killed', async () => {
    expect(await outlives()).toBe(false);
  });

  it('end with a killed parent even while a decoder hangs', async () => {
    expect(await outlives('--import', SPIN)).toBe(false);
  });

  it('have an installed FFmpeg that ends with a killed parent, if the machine supports it', async () => {
    if (spawnSync('setpriv', ['--pdeathsig', 'KILL', 'prlimit', '--version']).status !== 0) return;
    const folder = pathToFileURL(join(dirname(childEntry), '..')).href;
    const args = ['--input-type=module', '-e', PARENT_OF_INSTALLED, folder, childEntry];
    expect(await outlivesParent(...args)).toBe(false);
  });

  it('are stopped at their time limit, and another one inspects the next file', async () => {
    const media = new MediaHarness({ heicTimeLimitMs: 40, decoders: 4 });
    expect(await media.verdict(demoSample('storefront.jpg'), 'image/jpeg')).toBe('facts');
    const [before] = media.pool.pids();
    await expect(media.inspect(demoSample('wheat-field.heic'), 'image/heic')).rejects.toThrow(
      /too long|in time/,
    );
    expect(isAlive(before ?? 0)).toBe(false);
    expect(await media.verdict(demoSample('storefront.jpg'), 'image/jpeg')).toBe('facts');
    await media.close();
  });

  it('hardly wake up between files, nor does their FFmpeg', async () => {
    if (process.platform !== 'linux') return;
    const media = new MediaHarness({ decoders: 4, ffmpegPath: null });
    await media.render(fixture('h264.mp4'), 'video/mp4');
    const programs = [...media.pool.pids(), ...ffmpegPids()];
    await sleep(1_000);
    const before = programs.map(timesWoken);
    await sleep(2_000);
    const woken = programs.map((pid, index) => timesWoken(pid) - before[index]!);
    expect(woken).toEqual([expect.any(Number), expect.any(Number)]);
    expect(Math.max(...woken)).toBeLessThan(15);
    await media.close();
  });

  it('have at most one FFmpeg each, which ends with them', async () => {
    const media = new MediaHarness({ decoders: 4, ffmpegPath: null });
    await media.render(fixture('h264.mp4'), 'video/mp4');
    const [first] = ffmpegPids();
    await media.render(fixture('rotated.mp4'), 'video/mp4');
    expect(ffmpegPids()).toEqual([first]);
    await media.close();
    await eventually(() => expect(ffmpegPids()).toEqual([]));
  });

  it('are replaced when their FFmpeg dies, and the file is tried again', async () => {
    const media = new MediaHarness({ decoders: 4, ffmpegPath: null });
    await media.render(fixture('h264.mp4'), 'video/mp4');
    const [before] = media.pool.pids();
    const [ffmpeg] = ffmpegPids();
    process.kill(ffmpeg!, 'SIGSTOP');
    const rendering = media.render(fixture('rotated.mp4'), 'video/mp4');
    await sleep(500);
    process.kill(ffmpeg!, 'SIGKILL');
    await expect(rendering).resolves.toMatchObject({ width: 90, height: 160 });
    expect(media.pool.pids()).not.toContain(before);
    await media.close();
  });

  it('do not blame the file when FFmpeg cannot be started', async () => {
    const media = new MediaHarness({ ffmpegPath: '/no/such/ffmpeg' });
    await expect(media.render(fixture('h264.mp4'), 'video/mp4')).rejects.toMatchObject({
      name: 'MediaUnavailableError',
      message: 'FFmpeg could not be started',
    });
    await media.close();
  });

  it('inspect several files in parallel without mixing them up', async () => {
    const media = new MediaHarness();
    const names = ['storefront.jpg', 'berry-cake.jpg'] as const;
    const facts = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        media.inspect(demoSample(names[index % 2] ?? ''), 'image/jpeg'),
      ),
    );
    expect(facts.map((fact) => fact.width)).toEqual(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 1600 : 1080)),
    );
    expect(media.pool.pids().length).toBeLessThanOrEqual(2);
    await media.close();
  });
});

/** How often its threads have waited for something. */
function timesWoken(pid: number): number {
  const counts = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)![1]);
  });
  return counts.reduce((sum, count) => sum + count);
}

/** A zombie, which its new parent has not reaped yet, counts as ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
