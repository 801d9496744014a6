/** A finished upload of a file that the library already had. */
export interface UploadedCopy {
  readonly assetId: string;
  readonly duplicateOf: string;
  readonly name: string;
  readonly folders: readonly string[];
  readonly basePath: string;
}

const PREFIX = 'upload-copy:';

/** The copies about which the user has not decided yet. They survive a reload, each in an entry of its own. */
export class Copies {
  private readonly prefix: string;
  private readonly copies = new Map<string, UploadedCopy>();

  constructor(
    private readonly storage: Storage | null,
    userId: string,
  ) {
    this.prefix = prefixOf(userId);
    for (const name of namesIn(storage, this.prefix)) {
      const copy = parse(storage?.getItem(name) ?? null);
      if (copy) this.copies.set(copy.assetId, copy);
    }
  }

  /** Whether an earlier page has left some. */
  static anyIn(storage: Storage | null, userId: string): boolean {
    return namesIn(storage, prefixOf(userId)).length > 0;
  }

  get all(): readonly UploadedCopy[] {
    return [...this.copies.values()];
  }

  add(copy: UploadedCopy): void {
    this.copies.set(copy.assetId, copy);
    try {
      this.storage?.setItem(this.prefix + copy.assetId, JSON.stringify(copy));
    } catch {
      // The storage is full or refused: the user can still decide until the next reload.
    }
  }

  remove(assetIds: Iterable<string>): void {
    for (const assetId of assetIds) {
      this.copies.delete(assetId);
      this.storage?.removeItem(this.prefix + assetId);
    }
  }
}

const prefixOf = (userId: string) => `${PREFIX}${userId}:`;

function namesIn(storage: Storage | null, prefix: string): string[] {
  return Object.keys(storage ?? {}).filter((name) => name.startsWith(prefix));
}

function parse(text: string | null): UploadedCopy | null {
  try {
    const copy = JSON.parse(text ?? 'null') as UploadedCopy | null;
    return typeof copy?.assetId === 'string' ? copy : null;
  } catch {
    return null;
  }
}
