const EXIF_IFD = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const SUB_SEC_ORIGINAL = 0x9291;
const OFFSET_ORIGINAL = 0x9011;
const ASCII = 2;
const LONG = 4;

/** When the picture was taken, or null: invalid EXIF is never a reason to reject a file. */
export function takenAtFromExif(exif: Buffer | null | undefined): Date | null {
  if (!exif) return null;
  try {
    const hasPreamble = exif.toString('latin1', 0, 6) === 'Exif\0\0';
    return readTiff(hasPreamble ? exif.subarray(6) : exif);
  } catch {
    return null; // An offset points outside the buffer.
  }
}

function readTiff(tiff: Buffer): Date | null {
  const order = tiff.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return null;
  const reader = new TiffReader(tiff, order.startsWith('II'));
  const ifd = reader.long(reader.u32(4), EXIF_IFD);
  if (ifd === null) return null;
  return parseExifDate(
    reader.ascii(ifd, DATE_TIME_ORIGINAL),
    reader.ascii(ifd, OFFSET_ORIGINAL),
    reader.ascii(ifd, SUB_SEC_ORIGINAL),
  );
}

/** `2026:05:17 08:30:00`, read as UTC if the camera recorded no offset. */
export function parseExifDate(
  date: string | null,
  offset: string | null,
  fraction: string | null,
): Date | null {
  const match = /^(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}):(\d{2}):(\d{2})/.exec(date ?? '');
  if (!match) return null;
  const [, year, month, day, hour, minute, second] = match;
  const zone = /^[+-](0\d|1[0-4]):[0-5]\d$/.test(offset ?? '') ? offset : 'Z';
  const millis =
    /^\d+/
      .exec(fraction ?? '')?.[0]
      .slice(0, 3)
      .padEnd(3, '0') ?? '000';
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${zone}`);
  // Cameras without a set clock write zeroes, and Date turns 31 February into 3 March.
  if (
    Number.isNaN(time.getTime()) ||
    Number(year) < 1900 ||
    time.getUTCFullYear() > 9999 ||
    Number(day) > daysIn(Number(year), Number(month))
  )
    return null;
  return time;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

class TiffReader {
  constructor(
    private readonly bytes: Buffer,
    private readonly little: boolean,
  ) {}

  u32(at: number): number {
    return this.little ? this.bytes.readUInt32LE(at) : this.bytes.readUInt32BE(at);
  }

  long(ifd: number, tag: number): number | null {
    const entry = this.entry(ifd, tag, LONG);
    return entry === null ? null : this.u32(entry + 8);
  }

  ascii(ifd: number, tag: number): string | null {
    const entry = this.entry(ifd, tag, ASCII);
    if (entry === null) return null;
    const length = Math.min(this.u32(entry + 4), 64);
    const start = length <= 4 ? entry + 8 : this.u32(entry + 8);
    return (
      this.bytes
        .toString('latin1', start, start + length)
        .split('\0')[0]
        ?.trim() ?? null
    );
  }

  private u16(at: number): number {
    return this.little ? this.bytes.readUInt16LE(at) : this.bytes.readUInt16BE(at);
  }

  /** A count has 16 bits and directories are not followed further, so this cannot loop. */
  private entry(ifd: number, tag: number, type: number): number | null {
    const count = this.u16(ifd);
    for (let at = ifd + 2, index = 0; index < count; index += 1, at += 12) {
      if (this.u16(at) === tag) return this.u16(at + 2) === type ? at : null;
    }
    return null;
  }
}
