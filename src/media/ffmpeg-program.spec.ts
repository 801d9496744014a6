import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findConfinement } from './confinement.js';
import { createFfmpeg, unusualEnd } from './ffmpeg-program.js';
import { mediaDefaults } from './media-defaults.js';
import { type MediaOptions, MediaUnavailableError, UNCONFINED } from './media.types.js';

describe('FFmpeg that cannot be started', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ffmpeg-'));
  const file = (name: string, text: string, mode: number) => {
    writeFileSync(join(folder, name), text, { mode });
    return join(folder, name);
  };
  const run = (changed: Partial<MediaOptions>) =>
    createFfmpeg({ ...mediaDefaults, entry: __filename, ...changed }, () => undefined).run(
      [],
      new Uint8Array(1),
      1,
    );
  const missing = join(folder, 'missing');
  const notExecutable = file('data', '#!/bin/sh\n', 0o644);
  const foreign = file('foreign', '\x7fELF', 0o755);
  afterAll(() => rmSync(folder, { recursive: true }));

  describe.each([
    ['confined', findConfinement(__filename)],
    ['unconfined', UNCONFINED],
  ])('%s', (_how, confinement) => {
    it.each([
      ['does not exist', missing],
      ['may not be executed', notExecutable],
      ['is for another system', foreign],
    ])('is unavailable if the installed one %s', async (_why, ffmpegPath) => {
      await expect(run({ ffmpegPath, confinement })).rejects.toBeInstanceOf(MediaUnavailableError);
    });

    it('is unavailable if a library of the installed one cannot be loaded', async () => {
      const ffmpegPath = file(
        'incomplete',
        '#!/bin/sh\necho "cannot open shared object file" >&2\nexit 127\n',
        0o755,
      );
      await expect(run({ ffmpegPath, confinement })).rejects.toBeInstanceOf(MediaUnavailableError);
    });

    it('is unavailable if the one that comes with the service ends before it is ready', async () => {
      await expect(run({ confinement })).rejects.toBeInstanceOf(MediaUnavailableError);
    });
  });

  it('is unavailable if its confinement fails', async () => {
    const unshare = file(
      'unshare',
      '#!/bin/sh\necho "unshare: unshare failed: No space left on device" >&2\nexit 1\n',
      0o755,
    );
    const confinement = { wrapper: [unshare], nodeFlags: [] };
    await expect(run({ ffmpegPath: 'true', confinement })).rejects.toBeInstanceOf(MediaUnavailableError);
    await expect(run({ confinement })).rejects.toBeInstanceOf(MediaUnavailableError);
    const none = { wrapper: [missing], nodeFlags: [] };
    await expect(run({ ffmpegPath: 'true', confinement: none })).rejects.toBeInstanceOf(
      MediaUnavailableError,
    );
    await expect(run({ confinement: none })).rejects.toBeInstanceOf(MediaUnavailableError);
  });

  it('is not unavailable if it runs and then fails, or is killed', async () => {
    const failing = file('failing', '#!/bin/sh\necho "moov atom not found" >&2\nexit 183\n', 0o755);
    await expect(run({ ffmpegPath: failing })).resolves.toEqual({
      output: null,
      log: 'moov atom not found\n',
    });
    const killed = file('killed', '#!/bin/sh\nkill -KILL $$\n', 0o755);
    await expect(run({ ffmpegPath: killed })).rejects.toMatchObject({ reason: 'killed' });
    const crashing = file('crashing', '#!/bin/sh\nkill -SEGV $$\n', 0o755);
    await expect(run({ ffmpegPath: crashing })).rejects.toMatchObject({ reason: 'crashed' });
  });
});

describe('The end of an installed FFmpeg', () => {
  const handled = (signal: number) => `Exiting normally, received signal ${signal}.\n`;

  it.each([
    [{ code: 0, signal: null }, '', 0, null],
    [{ code: 183, signal: null }, handled(15), 0, null],
    [{ code: null, signal: 'SIGKILL' }, '', 1_000, 'killed'],
    [{ code: null, signal: 'SIGTERM' }, '', 1_000, 'killed'],
    [{ code: 137, signal: null }, '', 1_000, 'killed'],
    [{ code: 255, signal: null }, handled(15), 1_000, 'killed'],
    [{ code: null, signal: 'SIGSEGV' }, '', 1_000, 'crashed'],
    [{ code: null, signal: 'SIGKILL' }, '', 120_000, 'timeout'],
    [{ code: null, signal: 'SIGXCPU' }, '', 120_000, 'timeout'],
    [{ code: 255, signal: null }, handled(constants.signals.SIGXCPU), 120_000, 'timeout'],
  ] as const)('%j with the log %j after %i ms of CPU time is %s', (exit, log, cpuMs, reason) => {
    expect(unusualEnd(exit, log, cpuMs)).toBe(reason);
  });
});
