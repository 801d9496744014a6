/** Bytes could not be fetched, or a decoder not be loaded. Says nothing about the file. */
export class SourceError extends Error {}

/** A larger answer would take the parent's memory several times over. */
const MAX_READ = 4 * 1024 * 1024;

/** Random access to the bytes of a file. The parent reads them for us: decoders have neither files nor network. */
export class ByteSource {
  private last: Promise<unknown> = Promise.resolve();
  private whole: Promise<Buffer> | null = null;

  constructor(
    readonly size: number,
    private readonly ask: (start: number, end: number) => Promise<Buffer>,
    /** All of it will be needed: a small file is then read in one go. */
    private readonly isNeededWhole = false,
  ) {}

  /** Answers with fewer bytes only at the file's end. One read after another, as the parent demands. */
  read(start: number, length: number): Promise<Buffer> {
    const next = this.last.then(() => this.readNow(start, Math.min(start + length, this.size)));
    this.last = next.catch(() => undefined);
    return next;
  }

  private async readNow(start: number, end: number): Promise<Buffer> {
    if (end <= start) return Buffer.alloc(0);
    if (this.isNeededWhole && this.size <= MAX_READ)
      return (await (this.whole ??= this.ask(0, this.size))).subarray(start, end);
    if (end - start <= MAX_READ) return this.ask(start, end);
    const bytes = Buffer.allocUnsafeSlow(end - start);
    for (let at = start; at < end; at += MAX_READ)
      (await this.ask(at, Math.min(at + MAX_READ, end))).copy(bytes, at - start);
    return bytes;
  }
}
