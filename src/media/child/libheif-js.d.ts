declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js';

  /** The package has types for everything except its runtime's memory. */
  type Libheif = Omit<MainModule, 'HEAPU8'> & { HEAPU8: Uint8Array };

  export default function createLibheif(options: {
    print(line: string): void;
    printErr(line: string): void;
  }): Libheif;
}
