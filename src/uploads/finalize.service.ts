import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { AssetsRepository } from '../assets/assets.repository.js';
import { creatorOf } from '../assets/creators.rules.js';
import { defaultTitle } from '../assets/file-names.rules.js';
import { surfacesOfNew } from '../assets/surface-gate.rules.js';
import { AuditService } from '../audit/audit.service.js';
import { AuthRepository } from '../auth/auth.repository.js';
import type { ClientScope } from '../access/principal.js';
import { hashSecret } from '../common/tokens.js';
import { Problem } from '../common/errors/problem.js';
import { withTimeout } from '../common/with-timeout.js';
import { finalizes } from '../common/metrics/metrics.js';
import { logger } from '../common/logging/logger.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import type { Asset } from '../database/entities/asset.entity.js';
import type { UploadSession } from '../database/entities/upload-session.entity.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import type { SupportedMime } from '../media/file-types.js';
import { JobQueue } from '../jobs/job-queue.js';
import { makeMissingRenditionsOf, makeRenditionsOf } from '../preview/make-renditions.job.js';
import { RenditionsService } from '../preview/renditions.service.js';
import { Installation } from '../storage/installation.js';
import { FinalizeLease, type HeldSession } from './finalize-lease.js';
import type { VerifiedFacts } from './original-verification.js';
import { UploadPromotion } from './upload-promotion.js';
import { UploadSessionsRepository } from './upload-sessions.repository.js';
import type { FinalizeUploadDto } from './uploads.dto.js';

const WAIT_FOR_OTHER_MS = 10_000;
const POLL_MS = 150;

export interface Finalized {
  readonly asset: Asset;
  /** False if the asset already existed. */
  readonly created: boolean;
}

/** Turns an uploaded file into an asset: exactly one or none, whatever happens in between. */
@Injectable()
export class FinalizeService implements BeforeApplicationShutdown {
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    private readonly sessions: UploadSessionsRepository,
    private readonly assets: AssetsRepository,
    private readonly folders: FoldersRepository,
    private readonly auth: AuthRepository,
    private readonly lease: FinalizeLease,
    private readonly promotion: UploadPromotion,
    private readonly audit: AuditService,
    private readonly queue: JobQueue,
    private readonly renditions: RenditionsService,
    private readonly installation: Installation,
    @InjectConfig() private readonly config: Config,
  ) {}

  async finalize(scope: ClientScope, request: FinalizeUploadDto): Promise<Finalized> {
    surfacesOfNew(scope.actor, request.allowedSurfaces);
    if (request.folderId && !(await this.folders.exists(scope, request.folderId)))
      throw new Problem('folder_not_found');
    const tokenHash = hashSecret(request.uploadToken);
    const open = await this.lease.takeOpen(scope, tokenHash);
    if (open) return this.respondInTime(this.work(scope, open, request));
    for (const deadline = Date.now() + WAIT_FOR_OTHER_MS; ; await delay(POLL_MS)) {
      const session = await this.sessions.findByToken(scope, tokenHash);
      if (session === null) throw new Problem('upload_session_not_found');
      if (session.status === 'finalized') return this.alreadyFinalized(scope, session);
      const held = session.isLeased ? null : await this.lease.take(scope, session.id);
      if (held) return this.respondInTime(this.work(scope, held, request));
      if (Date.now() > deadline) throw new Problem('finalize_in_progress', undefined, { retryAfter: 2 });
    }
  }

  /** Background work must complete before the process exits. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.running);
  }

  private async alreadyFinalized(scope: ClientScope, session: UploadSession): Promise<Finalized> {
    const asset = await this.assets.findById(scope, session.assetId);
    if (asset === null) throw new Problem('upload_session_closed', 'The asset has been deleted.');
    return { asset, created: false };
  }

  private async work(scope: ClientScope, held: HeldSession, request: FinalizeUploadDto): Promise<Finalized> {
    const { session, signal } = held;
    try {
      await this.installation.requireBucket();
      const keep = this.renditions.keepUpload(session.assetId);
      const facts = await this.promotion.promoteAndVerify(session, request.parts ?? null, signal, keep);
      const asset = await this.lease.commit(held, async (manager) => {
        if (!(await this.auth.isStillActive(scope.actor, manager))) throw new Problem('unauthenticated');
        return this.createAsset(manager, scope, session, facts, request);
      });
      this.renditions.makeFirst(asset);
      finalizes.inc({ outcome: 'created' });
      return { asset, created: true };
    } catch (error) {
      finalizes.inc({ outcome: error instanceof Problem ? error.code : 'internal_error' });
      this.renditions.dropUpload(session.assetId);
      await this.lease.releaseAfterFailure(held, error);
      throw error;
    } finally {
      held.release();
    }
  }

  private async createAsset(
    manager: EntityManager,
    scope: ClientScope,
    session: HeldSession['session'],
    facts: VerifiedFacts,
    request: FinalizeUploadDto,
  ): Promise<Asset> {
    const described = {
      title: request.title ?? defaultTitle(session.originalFilename, this.config.limits.titleLength),
      description: request.description ?? '',
      altText: request.altText ?? '',
      tags: request.tags ?? [],
      allowedSurfaces: surfacesOfNew(scope.actor, request.allowedSurfaces),
      folderId: await this.liveFolder(manager, session, request),
    };
    const asset = await this.assets.insert(
      {
        id: session.assetId,
        clientId: session.clientId,
        sessionId: session.id,
        attempt: session.attempt,
        originalFilename: session.originalFilename,
        mimeType: session.mimeType as SupportedMime,
        ...(await this.assets.findDuplicate(session, facts.sha256, manager)),
        ...creatorOf(scope.actor),
        ...described,
        ...facts,
      },
      manager,
    );
    await this.audit.record(manager, {
      ...scope,
      action: 'asset.create',
      subject: ['asset', session.assetId],
      after: { ...described, sha256: facts.sha256, ...(scope.actor.picker ? { via: 'picker' } : {}) },
    });
    await this.queueRenditions(manager, session);
    return asset;
  }

  /** If they are made here, the job only makes what is missing then. */
  private async queueRenditions(manager: EntityManager, { clientId, assetId }: UploadSession): Promise<void> {
    const job = this.renditions.isKept(assetId)
      ? makeMissingRenditionsOf(clientId, assetId)
      : makeRenditionsOf(clientId, assetId, await this.assets.countRecent({ clientId }, manager));
    await this.queue.add(manager, job);
  }

  /** If the folder was trashed since the upload began, the asset goes to the top level, unless the folder was given in this request. */
  private async liveFolder(
    manager: EntityManager,
    session: UploadSession,
    request: FinalizeUploadDto,
  ): Promise<string | null> {
    const folderId = request.folderId === undefined ? session.folderId : request.folderId;
    if (folderId === null || (await this.folders.lockLive(session, folderId, manager))) return folderId;
    if (request.folderId) throw new Problem('folder_not_found');
    return null;
  }

  /** A very large file continues in the background; repeating the request returns its asset. */
  private async respondInTime(work: Promise<Finalized>): Promise<Finalized> {
    this.running.add(work);
    void work
      .catch((error: unknown) => logger.debug({ err: error }, 'finalize ended with an error'))
      .finally(() => this.running.delete(work));
    return withTimeout(work, this.config.uploads.answerSeconds * 1000, () => {
      throw new Problem('finalize_in_progress', 'Still processing in the background.', { retryAfter: 5 });
    });
  }
}
