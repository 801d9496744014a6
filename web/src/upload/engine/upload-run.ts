import { mediaTypeOf } from '../../api/file-types';
import { delay } from './delay';
import { asProblem, failureOf, UploadFailure } from './failure';
import type { FolderPaths } from './folder-paths';
import { callWithRetries, type Retries } from './retry';
import { type OpenUpload, SessionMemory } from './session-memory';
import { sendFile } from './transfer';
import type { FinalizedAsset, OpenedSession, SentPart, UploadApi, UploadStep, UploadTarget } from './types';

const MULTIPART_BYTES = 100 * 1024 * 1024;
const LONGEST_FINALIZE_MS = 15 * 60_000;
const FINALIZE_PAUSE_SECONDS = 2;

export interface RunContext {
  readonly api: UploadApi;
  readonly folders: FolderPaths;
  readonly memory: SessionMemory;
  /** Shared by all uploads, because several wait for the same folder. */
  readonly engine: Retries;
}

export interface RunRequest {
  readonly file: File;
  readonly folderNames: readonly string[];
  readonly target: UploadTarget;
  readonly signal: AbortSignal;
  onStep: (step: UploadStep) => void;
  onProgress: (sentBytes: number) => void;
}

/** Runs the steps of one upload: folder, session, transfer, finalize. Can be run again after a pause or a failure. */
export class UploadRun {
  private readonly retries: Retries;
  private readonly key: string;
  private upload: OpenUpload | null = null;
  private step: UploadStep = 'folder';
  private mayStartAgain = true;

  constructor(
    private readonly context: RunContext,
    private readonly request: RunRequest,
  ) {
    this.retries = { connection: context.engine.connection, signal: request.signal };
    const folderId = [request.target.folderId ?? '', ...request.folderNames].join('/');
    this.key = SessionMemory.keyOf({ ...request.target, folderId }, request.file);
  }

  async run(): Promise<FinalizedAsset> {
    const { memory } = this.context;
    this.upload = memory.claim(this.key);
    try {
      const asset = await this.steps();
      memory.forget(this.key);
      return asset;
    } catch (error) {
      this.request.signal.throwIfAborted();
      const failure = failureOf(this.step, error);
      if (failure.isFinal && failure.step === 'finalize') memory.forget(this.key);
      else if (failure.isFinal) await this.abandon();
      throw failure;
    } finally {
      memory.release(this.key);
    }
  }

  /** Cancels the session and discards what has been sent. */
  async abandon(): Promise<void> {
    const { api, memory } = this.context;
    const upload = this.upload ?? memory.claim(this.key);
    memory.forget(this.key);
    memory.release(this.key);
    this.upload = null;
    if (upload) await api.cancel(upload.sessionId).catch(() => undefined);
  }

  private async steps(): Promise<FinalizedAsset> {
    const { file } = this.request;
    if (file.size === 0) throw new UploadFailure('session', 'empty_file');
    for (;;) {
      let session = this.upload && (await this.reopen(this.upload));
      if (!this.upload) session = await this.open();
      if (session) await this.send(session);
      const asset = await this.finalize();
      if (asset) return asset;
    }
  }

  private enter(step: UploadStep): void {
    this.step = step;
    this.request.onStep(step);
  }

  private async open(): Promise<OpenedSession> {
    const { api, folders, memory, engine } = this.context;
    const { file, folderNames, target, signal } = this.request;
    this.enter('folder');
    const folderId = await folders.resolve(api, target, folderNames, engine);
    signal.throwIfAborted();
    this.enter('session');
    const opening = {
      originalFilename: file.name,
      mimeType: mediaTypeOf(file),
      expectedSizeBytes: file.size,
      folderId,
      multipart: file.size > MULTIPART_BYTES,
    };
    const session = await callWithRetries(() => api.open(opening, signal), this.retries);
    this.upload = {
      sessionId: session.sessionId,
      uploadToken: session.uploadToken,
      openedAt: Date.now(),
      parts: {},
      isSent: false,
    };
    if (session.warnings?.includes('unsupported_type'))
      throw new UploadFailure('session', 'unsupported_type');
    memory.save(this.key, this.upload);
    return session;
  }

  /** The session of an earlier attempt, with renewed URLs; null if everything has been sent or the session no longer exists. */
  private async reopen(upload: OpenUpload): Promise<OpenedSession | null> {
    if (upload.isSent) return null;
    const { api } = this.context;
    const { signal } = this.request;
    this.enter('session');
    try {
      const session = await callWithRetries(() => api.renew(upload.sessionId, signal), this.retries);
      if (!session.multipart) upload.isSent = await api.isUploaded(upload.sessionId, signal);
      return session;
    } catch (error) {
      const code = asProblem(error)?.code ?? '';
      if (code === 'finalize_in_progress' || code === 'upload_session_closed') upload.isSent = true;
      else if (GONE.has(code)) this.upload = null;
      else throw error;
      return null;
    }
  }

  private async send(session: OpenedSession): Promise<void> {
    const { api, memory } = this.context;
    const { file, signal, onProgress } = this.request;
    const upload = this.upload!;
    if (!upload.isSent) {
      this.enter('transfer');
      await sendFile({
        ...this.retries,
        file,
        session,
        upload,
        onProgress,
        renew: () => callWithRetries(() => api.renew(upload.sessionId, signal), this.retries),
        onPart: () => memory.save(this.key, upload),
      });
      upload.isSent = true;
      memory.save(this.key, upload);
    }
    onProgress(file.size);
  }

  /** Null if the file has to be sent again, possibly in a new session. */
  private async finalize(): Promise<FinalizedAsset | null> {
    const { api, memory } = this.context;
    const { signal } = this.request;
    const upload = this.upload;
    if (!upload) return null;
    this.enter('finalize');
    for (const deadline = Date.now() + LONGEST_FINALIZE_MS; ;) {
      try {
        return await callWithRetries(
          () => api.finalize(upload.uploadToken, partsOf(upload), signal),
          this.retries,
        );
      } catch (error) {
        const problem = asProblem(error);
        if (problem?.code === 'finalize_in_progress' && Date.now() < deadline) {
          await delay((problem.retryAfter ?? FINALIZE_PAUSE_SECONDS) * 1_000, signal);
          continue;
        }
        if (!problem || !this.mayStartAgain || !(GONE.has(problem.code) || RESEND.has(problem.code)))
          throw error;
        this.mayStartAgain = false;
        memory.forget(this.key);
        if (RESEND.has(problem.code)) this.upload = { ...upload, parts: {}, isSent: false };
        else this.upload = null;
        return null;
      }
    }
  }
}

const GONE: ReadonlySet<string> = new Set([
  'upload_session_not_found',
  'upload_session_expired',
  'upload_session_closed',
]);

/** The stored bytes differ from the file; sending it again may help. */
const RESEND: ReadonlySet<string> = new Set(['upload_incomplete', 'size_mismatch', 'checksum_mismatch']);

/** If the page cannot read ETags, null makes the service list the parts in the store. */
function partsOf({ parts }: OpenUpload): SentPart[] | null {
  const sent = Object.entries(parts).flatMap(([partNumber, etag]) =>
    etag === null ? [] : [{ partNumber: Number(partNumber), etag }],
  );
  return sent.length > 0 && sent.length === Object.keys(parts).length ? sent : null;
}
