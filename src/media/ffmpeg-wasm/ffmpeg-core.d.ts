declare module '@ffmpeg/core' {
  /** FFmpeg as WebAssembly: it only sees files written into its own memory. */
  export interface FfmpegCore {
    FS: {
      writeFile(path: string, bytes: Uint8Array): void;
      readFile(path: string): Uint8Array;
      analyzePath(path: string): { exists: boolean };
    };
    exec(...args: string[]): number;
    setLogger(logger: (line: { type: string; message: string }) => void): void;
  }

  export default function createCore(options: {
    instantiateWasm(imports: object, done: (instance: object) => void): object;
  }): Promise<FfmpegCore>;
}
