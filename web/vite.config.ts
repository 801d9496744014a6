import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compiledMessages } from './build/compiled-messages.ts';
import { compressedFiles } from './build/compressed-files.ts';
import { pressableStyleId } from './build/pressable-style-id.ts';

/** Paths that belong to the API; everything else is a page. */
const API_PATHS =
  '^/(auth|admin|portal|agents|lp-api|status|healthz|readyz|metrics|docs|openapi\\.json)(/|$|\\?)';

const target = process.env.API_URL ?? 'http://127.0.0.1:3000';
const proxy = { [API_PATHS]: { target, changeOrigin: false } };

export default defineConfig({
  base: '/',
  plugins: [
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' as const },
    compiledMessages(),
    pressableStyleId(),
    compressedFiles(),
  ],
  resolve: {
    alias: [
      // The messages are already compiled.
      { find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' },
      // React has contained these since version 18.
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
      {
        find: /^use-sync-external-store\/shim\/with-selector$/,
        replacement: 'use-sync-external-store/with-selector',
      },
    ],
  },
  build: {
    outDir: 'dist',
    assetsDir: 'static',
    assetsInlineLimit: 0,
    target: 'es2022',
    // The first versions that support light-dark(), which would otherwise be replaced.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Every browser we support has modulepreload.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Lists all packages in the pages, with the texts of their licences.
    license: { fileName: 'licenses.md' },
    // The entry with what it imports is one file, and so are the pages behind the sign-in. Split into the parts that
    // other chunks share, they would compress a sixth worse.
    rolldownOptions: {
      // No getter, ours or a library's, has side effects.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'main', tags: ['$initial' as const], priority: 1 },
            { name: 'library', test: /\/src\/router\/signed-in-pages\.ts$/ },
          ],
        },
      },
    },
  },
  server: { port: 5173, strictPort: true, host: '127.0.0.1', proxy },
  preview: { port: 5173, strictPort: true, host: '127.0.0.1', proxy },
});
