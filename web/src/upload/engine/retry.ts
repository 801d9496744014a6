import type { Connection } from './connection';
import { delay } from './delay';
import { asProblem } from './failure';

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000];
const LONGEST_PAUSE_MS = 120_000;

/** Only temporary failures: no response, too many requests, server errors. */
export function mayPass(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

export interface Retries {
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

/** Counts attempts and waits between them. A lost connection does not count. */
export class Patience {
  private attempts = 0;

  constructor(private readonly retries: Retries) {}

  /** False if the request should not be retried any more. */
  async afterFailure(status: number, retryAfterSeconds: number | null = null): Promise<boolean> {
    const { connection, signal } = this.retries;
    if (status === 0 && (await connection.recover(signal))) return true;
    const pause = PAUSES_MS[this.attempts++];
    if (pause === undefined || !mayPass(status)) return false;
    const jittered = pause * (0.75 + Math.random() / 2);
    await delay(Math.min(Math.max(jittered, (retryAfterSeconds ?? 0) * 1_000), LONGEST_PAUSE_MS), signal);
    return true;
  }
}

/** Sends a request to the API and retries while it may still succeed. */
export async function callWithRetries<T>(call: () => Promise<T>, retries: Retries): Promise<T> {
  const patience = new Patience(retries);
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (retries.signal.aborted) throw error;
      const problem = asProblem(error);
      if (problem && LASTING.has(problem.code)) throw error;
      if (!(await patience.afterFailure(problem?.status ?? 0, problem?.retryAfter ?? null))) throw error;
    }
  }
}

/** These do not go away until someone changes the configuration. */
const LASTING: ReadonlySet<string> = new Set([
  'storage_not_configured',
  'storage_forbidden',
  'storage_bucket_missing',
  'bucket_belongs_to_another_installation',
  'storage_read_only',
]);
