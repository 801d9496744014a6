import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

export interface Download {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The path of the downloaded file. */
  readonly path: string;
  readonly bytes: number;
  /** Whether the response ended correctly. */
  readonly isComplete: boolean;
}

/** A folder for downloads, deleted by `remove`. */
export class DownloadFolder {
  private readonly directory = mkdtempSync(join(tmpdir(), 'asset-library-download-'));
  private count = 0;

  /** Writes a response to a file, whether it is complete or not. */
  async fetch(url: string, token: string): Promise<Download> {
    const response = await open(url, token);
    const path = join(this.directory, `${++this.count}.zip`);
    const isComplete = await pipeline(response, createWriteStream(path)).then(
      () => response.complete,
      () => false,
    );
    return {
      status: response.statusCode!,
      headers: response.headers,
      path,
      bytes: statSync(path).size,
      isComplete,
    };
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The status and headers of the response; its body is not read yet. */
export async function open(url: string, token: string): Promise<IncomingMessage> {
  const sent = get(url, { agent: false, headers: { authorization: `Bearer ${token}` } });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

export async function head(url: string, token: string): Promise<IncomingMessage> {
  const sent = request(url, {
    method: 'HEAD',
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

/** The report of Info-ZIP about an archive; null if it is not installed. */
export async function unzipTest(path: string): Promise<string | null> {
  const run = promisify(execFile);
  const isThere = await run('unzip', ['-v']).then(
    () => true,
    () => false,
  );
  if (!isThere) return null;
  return (await run('unzip', ['-tqq', path], { maxBuffer: 1 << 26 })).stdout.trim();
}
