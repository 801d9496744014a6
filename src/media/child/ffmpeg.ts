import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FfmpegCore } from '@ffmpeg/core';
import { SourceError } from './byte-source.js';

/** Only the DOM library has this type, which a server does not use. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    compile(bytes: Uint8Array): Promise<object>;
    instantiate(module: object, imports: object): Promise<object>;
  };
};

let loaded: ReturnType<typeof load> | null = null;

/** A new FFmpeg for each file: it keeps global state, and nothing of one file may affect another. */
export async function startFfmpeg(): Promise<FfmpegCore> {
  const { createCore, module } = await (loaded ??= load());
  const core = await createCore({
    instantiateWasm(imports, done) {
      void WebAssembly.instantiate(module, imports).then(done);
      return {};
    },
  });
  core.setLogger(() => undefined);
  return core;
}

async function load() {
  try {
    // It was written for browser workers and asks where it was loaded from.
    Object.assign(globalThis, { self: { location: { href: '' } } });
    const { default: createCore } = await import('@ffmpeg/core');
    const bytes = await readFile(fileURLToPath(import.meta.resolve('@ffmpeg/core/wasm')));
    return { createCore, module: await WebAssembly.compile(bytes) };
  } catch {
    loaded = null;
    throw new SourceError('the video decoder could not be loaded');
  }
}
