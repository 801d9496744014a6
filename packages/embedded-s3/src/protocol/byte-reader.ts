import { S3Error } from './s3-error.js';

const LINE_END = Buffer.from('\r\n');
const MAX_LINE = 8 * 1024;

/** Reads lines and byte sequences from a stream, buffering only the current chunk. */
export class ByteReader {
  private pending: Buffer = Buffer.alloc(0);
  private readonly source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.pending.indexOf(LINE_END);
      if (end > MAX_LINE || (end < 0 && this.pending.length > MAX_LINE)) {
        throw new S3Error('InvalidRequest', 'A line of the chunked body is too long.');
      }
      if (end >= 0) {
        const line = this.pending.toString('latin1', 0, end);
        this.pending = this.pending.subarray(end + LINE_END.length);
        return line;
      }
      const more = await this.next();
      this.pending = this.pending.length ? Buffer.concat([this.pending, more]) : more;
    }
  }

  async *take(count: number): AsyncGenerator<Buffer> {
    while (count > 0) {
      if (this.pending.length === 0) this.pending = await this.next();
      const piece = this.pending.subarray(0, count);
      this.pending = this.pending.subarray(piece.length);
      count -= piece.length;
      yield piece;
    }
  }

  async expectEnd(): Promise<void> {
    if (this.pending.length > 0 || !(await this.source.next()).done) {
      throw new S3Error('IncompleteBody', 'There are bytes after the last chunk.');
    }
  }

  async close(): Promise<void> {
    await this.source.return?.();
  }

  private async next(): Promise<Buffer> {
    const result = await this.source.next();
    if (result.done) throw new S3Error('IncompleteBody');
    return result.value;
  }
}
