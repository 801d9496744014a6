import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findConfinement } from '../../../src/media/confinement.js';
import { DecoderPool } from '../../../src/media/decoder-pool.js';
import { MediaDecoder } from '../../../src/media/media-decoder.js';
import { mediaDefaults } from '../../../src/media/media-defaults.js';
import type { SupportedMime } from '../../../src/media/file-types.js';
import {
  type MediaDetails,
  type MediaFacts,
  type MediaOptions,
  type MediaSource,
  type Rendered,
  type RenderOutput,
} from '../../../src/media/media.types.js';

const root = join(__dirname, '../../..');

/** The compiled child; `MEDIA_CHILD_ENTRY` points elsewhere while developing. */
export const childEntry = process.env.MEDIA_CHILD_ENTRY ?? join(root, 'dist/src/media/child/main.js');

/** `FFMPEG_PATH` runs the tests of videos with an installed FFmpeg. */
export const ffmpegPath = process.env.FFMPEG_PATH ?? null;

/** The owner of the files. */
export const OWNER = { clientId: 'client', priority: 'interactive' as const };

export const mimes: SupportedMime[] = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'video/mp4'];

export function fixture(name: string): Buffer {
  return readFileSync(join(root, 'test/fixtures/media', name));
}

export function demoSample(name: string): Buffer {
  return readFileSync(join(root, 'src/embedded/samples', name));
}

/** A decoder and a folder for its files. `close` removes both. */
export class MediaHarness {
  readonly pool: DecoderPool;
  readonly decoder: MediaDecoder;
  private readonly folder = mkdtempSync(join(tmpdir(), 'media-test-'));

  constructor(changed: Partial<MediaOptions> = {}) {
    const confinement = findConfinement(childEntry);
    const options = { ...mediaDefaults, entry: childEntry, ffmpegPath, confinement, ...changed };
    this.pool = new DecoderPool(options);
    this.decoder = new MediaDecoder(this.pool, options);
  }

  file(bytes: Uint8Array): { kind: 'file'; path: string } {
    const path = join(this.folder, randomUUID());
    writeFileSync(path, bytes);
    return { kind: 'file', path };
  }

  async inspect(bytes: Uint8Array, declared: SupportedMime): Promise<MediaFacts> {
    return (await this.decoder.inspect(OWNER, this.file(bytes), declared)).facts;
  }

  async details(bytes: Uint8Array, declared: SupportedMime): Promise<MediaDetails> {
    return (await this.decoder.inspect(OWNER, this.file(bytes), declared)).details;
  }

  /** Renders one picture; `source` may be bytes or an address. */
  async render(
    source: Uint8Array | MediaSource,
    mime: SupportedMime,
    wanted: Partial<RenderOutput> = {},
  ): Promise<Rendered> {
    const [picture] = await this.renderAll(source, mime, [wanted]);
    if (!picture) throw new Error('nothing was rendered');
    return picture;
  }

  async renderAll(
    source: Uint8Array | MediaSource,
    mime: SupportedMime,
    wanted: Partial<RenderOutput>[],
  ): Promise<Rendered[]> {
    const outputs = wanted.map((output, index): RenderOutput => {
      return { name: `output ${index}`, maxSide: 640, format: 'jpeg', ...output };
    });
    const file = source instanceof Uint8Array ? this.file(source) : source;
    return this.decoder.render(OWNER, file, mime, outputs);
  }

  /** `rendered`, or the code of the rejection; anything else is rethrown and fails the test. */
  async rendering(bytes: Uint8Array, mime: SupportedMime): Promise<string> {
    try {
      await this.renderAll(bytes, mime, [{ maxSide: 64, format: 'webp' }, { maxSide: null }]);
      return 'rendered';
    } catch (error) {
      if ((error as Error).name !== 'MediaError') throw error;
      return (error as { code: string }).code;
    }
  }

  /** `facts`, or the code of the rejection; anything else is rethrown and fails the test. */
  async verdict(bytes: Uint8Array, declared: SupportedMime): Promise<string> {
    const source = this.file(bytes);
    try {
      await this.decoder.inspect(OWNER, source, declared);
      return 'facts';
    } catch (error) {
      if ((error as Error).name !== 'MediaError') throw error;
      return (error as { code: string }).code;
    } finally {
      rmSync(source.path);
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** Resident memory of a process in megabytes; null where /proc does not exist or the process is gone. */
export function residentMb(pid: number): number | null {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return null;
  }
}
