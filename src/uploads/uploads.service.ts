import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import type { ClientScope } from '../access/principal.js';
import { hashSecret, newSecret } from '../common/tokens.js';
import { Problem } from '../common/errors/problem.js';
import { isUuid, newId } from '../common/ids.js';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { Database } from '../database/database.js';
import type { UploadSession } from '../database/entities/upload-session.entity.js';
import { FoldersRepository } from '../folders/folders.repository.js';
import { uploadKey } from '../storage/object-key.js';
import { StorageService } from '../storage/storage.service.js';
import { Installation } from '../storage/installation.js';
import { DiscardedObjects } from './discarded-objects.js';
import type { OpenedUpload } from './opened-upload.js';
import { isImage, normalizedType } from '../media/file-types.js';
import { partSizeFor, planParts } from './upload.rules.js';
import { type NewUploadSession, UploadSessionsRepository } from './upload-sessions.repository.js';
import type { CreateUploadSessionDto } from './uploads.dto.js';

@Injectable()
export class UploadsService {
  constructor(
    private readonly database: Database,
    private readonly sessions: UploadSessionsRepository,
    private readonly folders: FoldersRepository,
    private readonly storage: StorageService,
    private readonly installation: Installation,
    private readonly discarded: DiscardedObjects,
    private readonly audit: AuditService,
    @InjectConfig() private readonly config: Config,
  ) {}

  async create(
    scope: ClientScope,
    request: CreateUploadSessionDto,
  ): Promise<OpenedUpload & { uploadToken: string }> {
    this.storage.requireConfigured();
    const { openSessions, openBytes } = this.config.limits;
    this.requireAllowedSize(request);
    if (request.folderId && !(await this.folders.exists(scope, request.folderId)))
      throw new Problem('folder_not_found');
    await this.installation.requireBucket();

    const id = newId();
    const uploadToken = newSecret();
    const multipart = request.multipart === true && request.expectedSizeBytes > 0;
    const session: NewUploadSession = {
      id,
      clientId: scope.clientId,
      tokenHash: hashSecret(uploadToken),
      assetId: newId(),
      folderId: request.folderId ?? null,
      originalFilename: request.originalFilename,
      mimeType: normalizedType(request.mimeType, request.originalFilename),
      expectedSizeBytes: request.expectedSizeBytes,
      sha256: request.sha256?.toLowerCase() ?? null,
      multipartUploadId: multipart
        ? await this.storage.multipart.create(uploadKey(scope.clientId, id))
        : null,
      partSizeBytes: multipart ? partSizeFor(request.expectedSizeBytes) : null,
    };
    try {
      const urls = await this.presign(session);
      const inserted = await this.database.transaction(async (manager) => {
        const open = await this.sessions.countOpen(scope, manager);
        if (open.sessions >= openSessions || open.bytes + request.expectedSizeBytes > openBytes) {
          throw new Problem('too_many_open_sessions', undefined, { retryAfter: 60 });
        }
        return this.sessions.insert(session, this.config.uploads, manager);
      });
      return { session: inserted, ...urls, uploadToken };
    } catch (error) {
      // The daily reconciliation finds what a crash leaves here.
      if (session.multipartUploadId) {
        await this.storage.multipart
          .abort(uploadKey(scope.clientId, id), session.multipartUploadId)
          .catch(() => undefined);
      }
      throw error;
    }
  }

  async get(scope: ClientScope, sessionId: string): Promise<{ session: UploadSession; uploaded: boolean }> {
    const session = await this.find(scope, sessionId);
    return { session, uploaded: await this.isUploaded(session) };
  }

  /** New URLs for an open session, after a pause. */
  async renew(scope: ClientScope, sessionId: string): Promise<OpenedUpload> {
    await this.find(scope, sessionId);
    await this.installation.requireBucket();
    const session = await this.database.transaction(async (manager) => {
      const locked = await this.sessions.lock(scope, sessionId, manager);
      requirePending(locked!);
      return this.sessions.renewUrl(scope, sessionId, this.config.uploads.urlSeconds, manager);
    });
    return { session, ...(await this.presign(session)) };
  }

  /** Cancelling twice is allowed. */
  async cancel(scope: ClientScope, sessionId: string): Promise<UploadSession> {
    await this.find(scope, sessionId);
    return this.database.transaction(async (manager) => {
      const session = (await this.sessions.lock(scope, sessionId, manager))!;
      if (session.status === 'cancelled') return session;
      requirePending(session);
      await this.discarded.endSession(manager, session, { status: 'cancelled' });
      await this.audit.record(manager, {
        ...scope,
        action: 'upload.cancel',
        subject: ['upload_session', sessionId],
      });
      return { ...session, status: 'cancelled' };
    });
  }

  private requireAllowedSize({ mimeType, expectedSizeBytes }: CreateUploadSessionDto): void {
    const { fileBytes, imageBytes } = this.config.limits;
    if (expectedSizeBytes > fileBytes)
      throw new Problem('file_too_large', `A file can have at most ${fileBytes} bytes.`);
    if (isImage(mimeType) && expectedSizeBytes > imageBytes)
      throw new Problem('file_too_large', `An image can have at most ${imageBytes} bytes.`);
  }

  private async find(scope: ClientScope, sessionId: string): Promise<UploadSession> {
    const session = isUuid(sessionId) ? await this.sessions.findById(scope, sessionId) : null;
    if (session === null) throw new Problem('upload_session_not_found');
    return session;
  }

  private async isUploaded(session: UploadSession): Promise<boolean> {
    if (session.status === 'finalized') return true;
    if (session.status !== 'pending' && session.status !== 'finalizing') return false;
    const key = uploadKey(session.clientId, session.id);
    if ((await this.storage.head(key)) !== null) return true;
    if (session.multipartUploadId === null) return false;
    const parts = await this.storage.multipart.listParts(key, session.multipartUploadId);
    return parts.reduce((sum, part) => sum + (part.sizeBytes ?? 0), 0) === session.expectedSizeBytes;
  }

  private async presign(session: NewUploadSession): Promise<Omit<OpenedUpload, 'session'>> {
    const key = uploadKey(session.clientId, session.id);
    const { urlSeconds } = this.config.uploads;
    const uploadUrl = await this.storage.presigner.put(key, session.expectedSizeBytes, urlSeconds);
    if (session.multipartUploadId === null) return { uploadUrl, partUrls: null };
    const partUrls = [];
    for (const part of planParts(session.expectedSizeBytes, session.partSizeBytes!)) {
      const url = await this.storage.presigner.part(key, session.multipartUploadId, part, urlSeconds);
      partUrls.push({ partNumber: part.partNumber, uploadUrl: url });
    }
    return { uploadUrl, partUrls };
  }
}

function requirePending(session: UploadSession): void {
  if (session.status === 'finalizing')
    throw new Problem('finalize_in_progress', undefined, { retryAfter: 2 });
  if (session.status === 'expired' || session.isOverdue) throw new Problem('upload_session_expired');
  if (session.status !== 'pending') {
    throw new Problem('upload_session_closed', `The session is ${session.status}.`, {
      extra: { sessionStatus: session.status },
    });
  }
}
