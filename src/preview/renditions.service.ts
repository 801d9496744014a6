import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../common/errors/problem.js';
import type { WorkOwner } from '../common/fair-limiter.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { logger } from '../common/logging/logger.js';
import { holdLease } from '../common/lease.js';
import { withTimeout } from '../common/with-timeout.js';
import { renditionsMade } from '../common/metrics/metrics.js';
import type { StoredAsset } from '../database/entities/asset.entity.js';
import {
  DECODE_PAUSE_SECONDS,
  decodedLater,
  MAX_DECODER_KILLS,
  mediaProblem,
} from '../media/media-problem.js';
import { DecoderKilledError, MediaError } from '../media/media.types.js';
import { type MadeRendition, RenditionMaker } from './rendition-maker.js';
import { EAGER, type Rendition } from './rendition.rules.js';
import { type RenditionState, RenditionsRepository } from './renditions.repository.js';

export interface ReadyRendition {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The bytes, if they have just been made. */
  readonly bytes?: Buffer;
}

/** If the lock of a rendition has not been renewed for this long, its holder has crashed or lost the database. */
const HOLD_SECONDS = 10;
/** Proxies do not wait much longer for a response. */
const PATIENCE_MS = 25_000;
const POLL_MS = 100;
/** When to ask again for a preview that nobody makes for now. */
const RETRY_KILLED_SECONDS = 3_600;

/** Makes each rendition once. Simultaneous requests for the same one, in any process, share one computation. */
@Injectable()
export class RenditionsService {
  private readonly inFlight = new Map<string, Promise<ReadyRendition>>();

  constructor(
    private readonly repository: RenditionsRepository,
    private readonly maker: RenditionMaker,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** `state`: the last known state; `lost` if that is ready but the object is missing. */
  async get(
    asset: StoredAsset,
    rendition: Rendition,
    state: RenditionState | null | 'lost',
  ): Promise<ReadyRendition> {
    const lost = state === 'lost';
    const ready = lost ? null : readyIn(state);
    if (ready) return ready;
    const key = `${asset.id}/${rendition.name}`;
    let making = this.inFlight.get(key);
    if (making === undefined) {
      making = this.makeOrWait(asset, rendition, lost).finally(() => this.inFlight.delete(key));
      this.inFlight.set(key, making);
    }
    return withTimeout(making, PATIENCE_MS, stillBeingMade);
  }

  /** Keeps the bytes of an upload until its first renditions are made. Undefined if this process does no background work. */
  keepUpload(assetId: string): ((bytes: Buffer) => void) | undefined {
    if (this.config.worker === 'off') return undefined;
    return (bytes) => this.maker.freshUploads.set(assetId, bytes);
  }

  isKept(assetId: string): boolean {
    return this.maker.freshUploads.has(assetId);
  }

  dropUpload(assetId: string): void {
    this.maker.freshUploads.delete(assetId);
  }

  /** Nobody waits for it. After a crash or an outage, or if memory is full, `MakeRenditionsJob` makes what is missing. */
  makeFirst(asset: StoredAsset): void {
    // Without its bytes, the original would have to be downloaded again.
    if (!this.isKept(asset.id)) return;
    void this.makeMissing(asset, EAGER, () => this.isKept(asset.id))
      .catch((error: unknown) =>
        logger.info(
          { err: error, assetId: asset.id },
          'could not make previews of an upload, leaving them to the queue',
        ),
      )
      .finally(() => this.dropUpload(asset.id));
  }

  /**
   * Makes several in one pass in the background. They are locked only when they are rendered: a request before that makes the rendition
   * immediately instead of waiting for background work, which then drops its own.
   */
  async makeMissing(
    asset: StoredAsset,
    renditions: readonly Rendition[],
    isStillWanted = () => true,
  ): Promise<void> {
    if (this.maker.isReadOnly) return;
    const owner: WorkOwner = { clientId: asset.clientId, priority: 'background' };
    await this.maker.inTurn(owner, async () => {
      if (!isStillWanted()) return;
      const names = renditions.map(({ name }) => name);
      const settled = await this.repository.findSettled(asset, names);
      const missing = renditions.filter(({ name }) => !settled.includes(name));
      if (missing.length > 0) await this.makeInBackground(owner, asset, missing);
    });
  }

  /** Like `get`, for background work: foreground requests take precedence. */
  async getInBackground(asset: StoredAsset, rendition: Rendition): Promise<ReadyRendition> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(POLL_MS)) {
      const ready = await this.findReady(asset, rendition.name);
      if (ready) return ready;
      // Does nothing while someone else is making it.
      await this.makeMissing(asset, [rendition]);
    }
    return stillBeingMade();
  }

  /** Stores only those that nobody else has taken in the meantime. */
  private async makeInBackground(
    owner: WorkOwner,
    asset: StoredAsset,
    missing: readonly Rendition[],
  ): Promise<void> {
    const rendering = this.maker.render(owner, asset, missing);
    await Promise.allSettled([rendering]);
    const names = missing.map(({ name }) => name);
    const takenNames = await this.repository.takeMissing(asset, names, HOLD_SECONDS, false);
    const taken = missing.filter(({ name }) => takenNames.includes(name));
    if (taken.length === 0) return;
    await this.makeTaken(asset, taken, async (signal) =>
      this.maker.store(asset, taken, await rendering, signal),
    );
  }

  private async makeOrWait(asset: StoredAsset, rendition: Rendition, lost: boolean): Promise<ReadyRendition> {
    // Pages request them one after the other, and decoding takes longer than encoding.
    const together = !lost && EAGER.some(({ name }) => name === rendition.name) ? EAGER : [rendition];
    const owner: WorkOwner = { clientId: asset.clientId, priority: 'interactive' };
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await delay(POLL_MS)) {
      const names = together.map(({ name }) => name);
      const takenNames = await this.repository.takeMissing(asset, names, HOLD_SECONDS, lost);
      if (takenNames.length > 0) {
        const taken = together.filter(({ name }) => takenNames.includes(name));
        const made = await this.makeTaken(asset, taken, (signal) =>
          this.maker.inTurn(owner, () => this.maker.make(owner, asset, taken, signal)),
        );
        const wanted = made.find(({ name }) => name === rendition.name);
        if (wanted) return wanted;
      }
      // Someone else was faster.
      const ready = await this.findReady(asset, rendition.name);
      if (ready && !lost) return ready;
      lost = false;
    }
    return stillBeingMade();
  }

  private async findReady(asset: StoredAsset, name: string): Promise<ReadyRendition | null> {
    return readyIn(await this.repository.find(asset, name));
  }

  private async makeTaken(
    asset: StoredAsset,
    renditions: readonly Rendition[],
    make: (signal: AbortSignal) => Promise<MadeRendition[]>,
  ): Promise<MadeRendition[]> {
    const names = renditions.map(({ name }) => name);
    const lease = holdLease(
      HOLD_SECONDS,
      () => this.repository.renew(asset, names, HOLD_SECONDS),
      takenOver(),
    );
    try {
      const made = await make(lease.signal);
      if (this.maker.isReadOnly) for (const name of names) await this.repository.release(asset, name);
      else await this.repository.setReady(asset, made);
      renditionsMade.inc({ outcome: 'made' }, made.length);
      return made;
    } catch (error) {
      renditionsMade.inc(
        { outcome: error instanceof MediaError ? 'failed' : 'given_back' },
        renditions.length,
      );
      if (error instanceof DecoderKilledError)
        await this.repository.setKilled(asset, names, MAX_DECODER_KILLS, DECODE_PAUSE_SECONDS);
      else
        for (const { name } of renditions) {
          if (error instanceof MediaError) await this.repository.setFailed(asset, name, error.message);
          else await this.repository.release(asset, name);
        }
      throw error instanceof MediaError ? new Problem('media_invalid', error.message) : mediaProblem(error);
    } finally {
      lease.release();
    }
  }
}

function takenOver(): Problem {
  return new Problem('server_busy', 'This process no longer makes the preview.', { retryAfter: 5 });
}

function stillBeingMade(): never {
  throw new Problem('server_busy', 'The preview is still being made.', { retryAfter: 5 });
}

function readyIn(state: RenditionState | null): ReadyRendition | null {
  if (state?.status === 'failed' && state.isHeld) {
    throw new Problem('media_invalid', state.failure ?? undefined);
  }
  if (state?.status === 'killed' && state.isHeld) throw decodedLater(MAX_DECODER_KILLS, RETRY_KILLED_SECONDS);
  return state?.status === 'ready' ? { sha256: state.sha256!, sizeBytes: state.sizeBytes! } : null;
}
