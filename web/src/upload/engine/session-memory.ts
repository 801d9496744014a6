import type { UploadTarget } from './types';

const PREFIX = 'upload-session:';
const MAX_REMEMBERED = 100;
/** Slightly shorter than the lifetime of a session on the server. */
const LIFETIME_MS = 23 * 60 * 60 * 1_000;

/** A session that is open on the server, and what has been sent so far. */
export interface OpenUpload {
  readonly sessionId: string;
  readonly uploadToken: string;
  readonly openedAt: number;
  /** For a multipart upload: the ETags of the sent parts, by part number; null if the store does not expose them. */
  readonly parts: Record<number, string | null>;
  /** Whether everything has been sent. */
  isSent: boolean;
}

/**
 * Stores open sessions across page loads, so that the same file, dropped again, continues where it stopped. Each
 * session has its own entry, so that two windows do not overwrite each other.
 */
export class SessionMemory {
  private readonly inUse = new Set<string>();
  /** The sessions of this page, so that pausing works even if nothing can be stored. */
  private readonly own = new Map<string, OpenUpload>();

  constructor(private readonly storage: Storage | null) {}

  static keyOf({ basePath, folderId }: UploadTarget, file: File): string {
    return [basePath, folderId ?? '', file.name, file.size, file.lastModified].join('|');
  }

  /** The stored session of this file, unless another upload of the same file uses it. */
  claim(key: string): OpenUpload | null {
    if (this.inUse.has(key)) return null;
    this.inUse.add(key);
    const upload = this.own.get(key) ?? parse(this.storage?.getItem(PREFIX + key) ?? null);
    return upload && Date.now() - upload.openedAt < LIFETIME_MS ? upload : null;
  }

  release(key: string): void {
    this.inUse.delete(key);
  }

  save(key: string, upload: OpenUpload): void {
    this.own.set(key, upload);
    try {
      this.storage?.setItem(PREFIX + key, JSON.stringify(upload));
      this.prune();
    } catch {
      // The storage is full or refused: the upload works without it.
    }
  }

  forget(key: string): void {
    this.own.delete(key);
    this.storage?.removeItem(PREFIX + key);
  }

  private prune(): void {
    const { storage } = this;
    if (!storage || storage.length <= MAX_REMEMBERED) return;
    const remembered = Object.keys(storage)
      .filter((name) => name.startsWith(PREFIX))
      .map((name) => ({ name, openedAt: parse(storage.getItem(name))?.openedAt ?? 0 }))
      .sort((one, other) => other.openedAt - one.openedAt);
    for (const { name } of remembered.slice(MAX_REMEMBERED)) storage.removeItem(name);
  }
}

function parse(text: string | null): OpenUpload | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<OpenUpload> | null;
    return typeof value?.sessionId === 'string' && typeof value.uploadToken === 'string'
      ? {
          openedAt: 0,
          parts: {},
          isSent: false,
          ...value,
          sessionId: value.sessionId,
          uploadToken: value.uploadToken,
        }
      : null;
  } catch {
    return null;
  }
}
