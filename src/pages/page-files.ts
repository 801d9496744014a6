import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The names of everything below it change with their content. */
const HASHED = '/static/';
const INDEX = '/index.html';
const BROTLI = '.br';

interface PageFile {
  readonly bytes: Buffer;
  readonly compressed: Buffer | undefined;
  readonly etag: string;
}

/**
 * The built pages. They have a few megabytes and are read once, so a build next to the running service neither breaks a response nor mixes
 * two versions.
 */
export class PageFiles {
  private readonly files: ReadonlyMap<string, PageFile>;

  constructor(directory: string) {
    this.files = readFiles(directory);
  }

  /** False if the pages have not been built. */
  get exist(): boolean {
    return this.files.has(INDEX);
  }

  has(path: string): boolean {
    return path !== INDEX && this.files.has(path);
  }

  sendIndex(request: Request, response: Response): void {
    this.send(request, response, INDEX);
  }

  send(request: Request, response: Response, path: string): void {
    const { bytes, compressed, etag } = this.files.get(path)!;
    response.setHeader(
      'Cache-Control',
      path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    response.vary('Accept-Encoding');
    response.setHeader('ETag', etag);
    if (request.headers['if-none-match'] === etag) {
      response.status(304).end();
      return;
    }
    response.type(path.slice(path.lastIndexOf('.')));
    const isCompressed = compressed !== undefined && request.acceptsEncodings('br') === 'br';
    if (isCompressed) response.setHeader('Content-Encoding', 'br');
    const body = isCompressed ? compressed : bytes;
    response.setHeader('Content-Length', body.length);
    // Node sends no body in response to HEAD.
    response.end(body);
  }
}

function readFiles(directory: string): Map<string, PageFile> {
  const contents = new Map<string, Buffer>();
  for (const entry of listFiles(directory))
    contents.set(`/${relative(directory, entry).replaceAll(sep, '/')}`, readFileSync(entry));
  const files = new Map<string, PageFile>();
  for (const [path, bytes] of contents) {
    if (path.endsWith(BROTLI)) continue;
    // Weak, because the compressed bytes differ.
    const etag = `W/"${createHash('sha256').update(bytes).digest('base64url')}"`;
    files.set(path, { bytes, compressed: contents.get(path + BROTLI), etag });
  }
  return files;
}

/** Empty if the directory does not exist: a checkout without built pages only serves the API. */
function listFiles(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
