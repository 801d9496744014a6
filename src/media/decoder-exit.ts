import { decoderExits } from '../common/metrics/metrics.js';
import { logger } from '../common/logging/logger.js';
import { OVER_MEMORY_SIGNAL } from './protocol.js';

/** Why a decoder, or its FFmpeg, ended without a result. `killed`: by somebody else, which says nothing about the file. */
export type ExitReason = 'killed' | 'crashed' | 'over_memory' | 'timeout';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Programs do not end themselves with these: they come from the kernel when memory runs out, from an operator, or from a terminal. */
const FROM_OUTSIDE: readonly (string | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];
/** A shell that runs the program reports its SIGKILL or SIGTERM like this. */
const FROM_OUTSIDE_IN_SHELL: readonly (number | null)[] = [128 + 9, 128 + 15];

/** For a program that this service has not killed itself. */
export function reasonOf({ code, signal }: Exit): ExitReason {
  if (signal === OVER_MEMORY_SIGNAL) return 'over_memory';
  if (signal === 'SIGXCPU') return 'timeout';
  if (FROM_OUTSIDE.includes(signal) || FROM_OUTSIDE_IN_SHELL.includes(code)) return 'killed';
  return 'crashed';
}

export function recordExit(
  program: 'decoder' | 'ffmpeg',
  reason: ExitReason,
  exit: Partial<Exit> = {},
): void {
  decoderExits.inc({ reason });
  const facts = { program, reason, ...exit };
  if (reason === 'killed')
    logger.warn(facts, 'a decoder was killed, probably by the kernel because memory ran out');
  else logger.info(facts, 'a decoder ended without a result');
}
