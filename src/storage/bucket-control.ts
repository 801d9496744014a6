import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { logger } from '../common/logging/logger.js';
import { bucketControl } from '../common/metrics/metrics.js';
import { type Config, CONTROL_SECONDS } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { CONTROL_EXPLAINED, type ControlState, controlStateOf } from './control.rules.js';
import { Installation, newNonce } from './installation.js';
import { type ControlTimes, InstallationRepository } from './installation.repository.js';
import { StorageService } from './storage.service.js';

/** How long a known state may be used. A database that claims the bucket waits much longer before it deletes anything. */
const REMEMBERED_MS = 2_000;
/** How often to check whether the nonce is due, as a fraction of the control interval. */
const TICK = 0.25;

/**
 * Tells the database that controls the bucket from its copies: a restored dump or a staging system has the same installation id and would
 * otherwise delete what the original still needs. Everything that deletes from the bucket or acts outside asks here first.
 *
 * A nonce in the database and in the bucket's marker is replaced every few minutes by the processes of the database that controls the
 * bucket. Each of its copies is then behind. See "Control of the bucket" in docs/architecture.md.
 */
@Injectable()
export class BucketControl implements BeforeApplicationShutdown {
  private readonly times: ControlTimes;
  private readonly isConfigured: boolean;
  private last: { readonly state: ControlState; readonly at: number } | null = null;
  private reported: ControlState | null = null;
  private timer: NodeJS.Timeout | null = null;
  private advancing: Promise<void> = Promise.resolve();

  constructor(
    private readonly installation: Installation,
    private readonly repository: InstallationRepository,
    private readonly storage: StorageService,
    @InjectConfig() config: Config,
  ) {
    const { storage: settings } = config;
    this.isConfigured = settings.configured;
    this.times = settings.configured
      ? { holdSeconds: settings.holdSeconds, advanceSeconds: settings.controlSeconds }
      : { holdSeconds: 0, advanceSeconds: CONTROL_SECONDS };
  }

  /** When postponed work should ask again. */
  get retrySeconds(): number {
    return this.times.advanceSeconds;
  }

  /** Before each batch of deletions. */
  async mayDelete(): Promise<boolean> {
    return (await this.recentState()) === 'ok';
  }

  /** Before anything that others see, such as a delivery. An old process may go on with it after a newer one has migrated the database. */
  async mayActOutside(): Promise<boolean> {
    return ['ok', 'newer_schema'].includes(await this.recentState());
  }

  async state(): Promise<ControlState> {
    const state = this.storage.isReadOnly ? 'read_only' : await this.findState();
    this.last = { state, at: performance.now() };
    bucketControl.set(state === 'ok' ? 1 : 0);
    if (state !== this.reported && (state !== 'ok' || this.reported !== null)) report(state);
    this.reported = state;
    return state;
  }

  /** Advances from now on, in every process, because any of them may be the only one. */
  start(): void {
    if (!this.isConfigured || this.timer !== null) return;
    const tick = () =>
      (this.advancing = this.advancing
        .then(() => this.advanceIfDue())
        .catch((error: unknown) => logger.info({ err: error }, 'could not check the control of the bucket')));
    this.timer = setInterval(() => void tick(), this.times.advanceSeconds * 1000 * TICK).unref();
    void tick();
  }

  beforeApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Can stop after any step: the marker always says one of the two nonces that the database knows. */
  private async advanceIfDue(): Promise<void> {
    const state = await this.state();
    if (state !== 'ok' && state !== 'newer_schema' && state !== 'waiting') return;
    const record = await this.repository.find(this.times);
    const seen = await this.installation.readMarker();
    if (record === null || seen === null || (record.hasAdvanced && !record.isDue)) return;
    if (controlStateOf({ ...record, hasAdvanced: true, isNewerSchema: false }, seen) !== 'ok') return;
    const next = await this.repository.prepareNext(record.nonce, newNonce());
    if (next === null) return;
    if (seen.nonce === next || (await this.installation.replaceMarker(seen, seen.flag, next)))
      await this.repository.promote(next);
  }

  private async recentState(): Promise<ControlState> {
    const { last } = this;
    return last !== null && performance.now() - last.at < REMEMBERED_MS ? last.state : this.state();
  }

  private async findState(): Promise<ControlState> {
    for (let attempt = 1; ; attempt++) {
      const marker = await this.installation.readMarker();
      const record = await this.repository.find(this.times);
      // Before the first upload there is nothing to control.
      const isNew = record === null || (record.nonce === null && marker === null);
      if (isNew && (await this.installation.bucketIsInUse()) === false) return 'ok';
      const state = record === null ? 'unclaimed' : controlStateOf(record, marker);
      // Another process may have advanced between the two reads.
      if (state !== 'behind' || attempt === 2) return state;
    }
  }
}

function report(state: ControlState): void {
  if (state === 'ok') {
    logger.info('the database controls the bucket again: deletions and deliveries resume');
    return;
  }
  const { cause, fix } = CONTROL_EXPLAINED[state];
  const log = state === 'waiting' || state === 'read_only' ? 'warn' : 'error';
  logger[log]({ state, fix }, cause);
}
