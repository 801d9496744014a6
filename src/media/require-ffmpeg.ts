import { spawnSync } from 'node:child_process';
import { ConfigError } from '../config/environment-reader.js';
import { installedFfmpeg } from './ffmpeg-program.js';
import type { MediaOptions } from './media.types.js';
import { minimalEnv } from './minimal-env.js';

const TIMEOUT_MS = 20_000;

/** Throws unless the program runs in the same way as later for videos. There is no fallback, because a wrong path must not go unnoticed. */
export function requireFfmpeg(
  path: string,
  options: Pick<MediaOptions, 'confinement' | 'memoryLimitBytes'>,
): void {
  const [command = '', ...args] = [...installedFfmpeg(options, path), '-version'];
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: minimalEnv(),
    timeout: TIMEOUT_MS,
  });
  if (status === 0 && stdout.startsWith('ffmpeg version')) return;
  const reason = error?.message ?? (stderr.trim().split('\n').at(-1) || `it exited with code ${status}`);
  throw new ConfigError([
    `FFMPEG_PATH must be the path of an ffmpeg program that can be run here (${reason})`,
  ]);
}
