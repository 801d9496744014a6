/** Bytes could not be fetched, or a decoder could not be loaded. Says nothing about the file. */
export class SourceError extends Error {}

/** A larger response would use several times its size of the parent's memory. */
const MAX_READ = 4 * 1024 * 1024;

/** Random access to the bytes of a file. The parent reads them: decoders have neither files nor network. */
export class ByteSource {
  private last: Promise<unknown> = Promise.resolve();
  private whole: Promise<Buffer> | null = null;

  constructor(
    readonly size: number,
    private readonly ask: (start: number, end: number) => Promise<Buffer>,
    /** The whole file will be needed, so a small file is read in one go. */
    private readonly isNeededWhole = false,
  ) {}

  /** Returns fewer bytes only at the end of the file. Reads one range at a time, as the parent requires. */
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
