import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

export interface FormFile {
  readonly field: string;
  /** ASCII without quotes or control characters. */
  readonly fileName: string;
  readonly contentType: string;
  readonly sizeBytes: number;
}

export interface MultipartForm {
  readonly contentType: string;
  /** The length of the whole body. */
  readonly bytes: number;
  /** The body: the bytes of the file between the fields and the closing boundary. */
  body(file: Readable): Readable;
}

/** A form upload whose length is known before the first byte of the file is read. */
export function multipartForm(fields: Readonly<Record<string, string>>, file: FormFile): MultipartForm {
  const boundary = `----${randomBytes(24).toString('hex')}`;
  const part = (headers: string[]) => `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`;
  const texts = Object.entries(fields).map(
    ([name, value]) => `${part([`Content-Disposition: form-data; name="${name}"`])}${value}\r\n`,
  );
  const disposition = `Content-Disposition: form-data; name="${file.field}"; filename="${file.fileName}"`;
  const prefix = Buffer.from(texts.join('') + part([disposition, `Content-Type: ${file.contentType}`]));
  const suffix = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: prefix.length + file.sizeBytes + suffix.length,
    body: (source) => Readable.from(pieces(prefix, source, suffix), { objectMode: false }),
  };
}

async function* pieces(prefix: Buffer, source: Readable, suffix: Buffer): AsyncGenerator<Buffer> {
  try {
    yield prefix;
    yield* source as AsyncIterable<Buffer>;
    yield suffix;
  } finally {
    source.destroy();
  }
}
