/** The destination of files: one client's library on one side, and a folder in it (null means the top level). */
export interface UploadTarget {
  readonly basePath: string;
  readonly folderId: string | null;
}

/** A file with the folders it was dropped with, outermost first; empty for a single file. */
export interface IncomingFile {
  readonly file: File;
  readonly folders: readonly string[];
}

export interface PartUrl {
  readonly partNumber: number;
  readonly uploadUrl: string;
}

export interface OpenedSession {
  readonly sessionId: string;
  /** Of the request that issued the URLs: the store's own responses have no id that the service's log knows. */
  readonly requestId: string | null;
  readonly uploadUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly multipart?: { readonly partSizeBytes: number; readonly parts: readonly PartUrl[] };
  readonly warnings?: readonly string[];
}

export interface SentPart {
  readonly partNumber: number;
  readonly etag: string;
}

export interface FinalizedAsset {
  readonly assetId: string;
  readonly assetRef: string;
  readonly title: string;
  readonly folderId: string | null;
  readonly duplicateOf: string | null;
}

export interface SessionRequest {
  readonly originalFilename: string;
  readonly mimeType: string;
  readonly expectedSizeBytes: number;
  readonly folderId: string | null;
  readonly multipart: boolean;
}

export interface TrashedCopies {
  readonly trashed: readonly string[];
  readonly kept: readonly string[];
  /** With which they can be restored; null if none was trashed. */
  readonly batchId: string | null;
}

/**
 * The part of the API that the engine needs, for one client's library. Rejects with a problem, or with any other error
 * if there was no response.
 */
export interface UploadApi {
  open(request: SessionRequest, signal: AbortSignal): Promise<OpenedSession & { uploadToken: string }>;
  renew(sessionId: string, signal: AbortSignal): Promise<OpenedSession>;
  isUploaded(sessionId: string, signal: AbortSignal): Promise<boolean>;
  cancel(sessionId: string): Promise<void>;
  finalize(
    uploadToken: string,
    parts: readonly SentPart[] | null,
    signal: AbortSignal,
  ): Promise<FinalizedAsset>;
  createFolders(path: string, parentId: string | null, signal: AbortSignal): Promise<string>;
  /** Moves at most 500 copies to the trash. Never the last one of a file, and none that is in use. */
  trashCopies(assetIds: readonly string[]): Promise<TrashedCopies>;
}

export type UploadStep = 'folder' | 'session' | 'transfer' | 'finalize';

export type UploadState =
  'waiting' | 'starting' | 'sending' | 'checking' | 'paused' | 'failed' | 'done' | 'cancelled';
