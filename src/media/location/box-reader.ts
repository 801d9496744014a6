import { setImmediate } from 'node:timers/promises';
import { readBoxHeader } from '../child/boxes.js';
import type { RangeReader } from '../decoder-child.js';
import { MediaError } from '../media.types.js';

/** A box by the offsets of its header and of its content within the file. */
export interface FileBox {
  /** Empty: the rest of the parent is not a box. */
  readonly type: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** Lets other work run while a crafted file is read. */
const BOXES_AT_ONCE = 500;
/** An hour of a live recording has thousands of fragments of about ten boxes each. */
const MAX_BOXES = 100_000;

/** Reads the boxes of a file of any size without their content, up to a limit that no genuine file reaches. */
export class BoxReader {
  private boxes = 0;

  constructor(private readonly file: RangeReader) {}

  /** The boxes of the whole file. The last one may be cut off, as players accept. */
  top(): AsyncGenerator<FileBox> {
    return this.boxesIn(0, this.file.size, true);
  }

  /** The boxes within another one, from `start`. */
  within(box: FileBox, start = box.start): AsyncGenerator<FileBox> {
    return this.boxesIn(start, box.end, false);
  }

  /** Follows a path of box types, the first match each time. */
  async find(within: FileBox, ...path: string[]): Promise<FileBox | null> {
    const [type, ...rest] = path;
    if (type === undefined) return within;
    for await (const box of this.within(within)) if (box.type === type) return this.find(box, ...rest);
    return null;
  }

  /** The content of a box, at most `length` bytes of it. */
  read({ start, end }: Pick<FileBox, 'start' | 'end'>, length: number): Promise<Buffer> {
    return this.file.read(start, Math.min(length, end - start));
  }

  private async *boxesIn(start: number, end: number, isTop: boolean): AsyncGenerator<FileBox> {
    for (let at = start; at < end;) {
      this.boxes += 1;
      if (this.boxes > MAX_BOXES) throw new MediaError('media_invalid', 'It consists of too many parts.');
      const header = readBoxHeader(await this.file.read(at, Math.min(16, end - at)), 0);
      if (this.boxes % BOXES_AT_ONCE === 0) await setImmediate();
      // 0 means up to the end of the file, so it is only allowed there. In user data, QuickTime ends with it.
      const size = header?.size === 0 && isTop ? end - at : (header?.size ?? 0);
      if (header === null || size === 0 || (size > end - at && !isTop)) {
        yield { type: '', at, start: at, end };
        return;
      }
      const box = { type: header.type, at, start: at + header.headerSize, end: Math.min(at + size, end) };
      yield box;
      at = box.end;
    }
  }
}
