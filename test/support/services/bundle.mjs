import { build, stop } from 'esbuild';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Drivers of TypeORM and transports of Nest that are not installed. */
const OPTIONAL =
  /^(mysql2?|oracledb|mssql|better-sqlite3|sqlite3|sql\.js|ioredis|redis|mongodb|@google-cloud\/spanner|@sap\/.*|hdb-pool|react-native-sqlite-storage|typeorm-aurora-data-api-driver|pg-query-stream|pg-native|expo-sqlite|class-transformer\/storage|@nestjs\/(microservices|websockets).*|@fastify\/.*)$/;

/** Files that may load others by their own location. */
const LOOKS_AROUND = /[\\/](dist[\\/]src|@nestjs|swagger-ui-dist)[\\/].*\.js$/;

/** CommonJS has no top-level `await`, which only these three use. */
const ENTRY = /[\\/]dist[\\/]src[\\/](main|worker|cli[\\/]main)\.js$/;

const PROGRAMS = { main: 'main.js', worker: 'worker.js', cli: 'cli/main.js' };

/**
 * Bundles the built service. Loading and compiling its 2,800 modules one by one takes most of the CPU time of a start, and
 * the tests start it a hundred times. All programs are in one CommonJS script, because Node 22 can cache the compiled code of
 * scripts but not of ES modules: see run-cached.cjs. The long runs and the test of `npm start` do without it.
 */
export async function bundleService(directory) {
  const { outputFiles } = await build({
    stdin: { contents: chooseProgram(), resolveDir: join(root, 'dist', 'src') },
    outfile: join(directory, 'programs.bundle.cjs'),
    bundle: true,
    platform: 'node',
    // ES modules before CommonJS, because unused parts of them are left out.
    mainFields: ['module', 'main'],
    // Code from the cache cannot import.
    supported: { 'dynamic-import': false },
    format: 'cjs',
    target: 'node22',
    keepNames: true,
    minifyWhitespace: true,
    // Native, loaded by name by TypeORM, or absent from a production install.
    external: ['@node-rs/argon2', 'pg', 'typescript', '@asset-library/*'],
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: `const bundleUrl = require('node:url').pathToFileURL(__filename).href;` },
    logLevel: 'error',
    write: false,
    plugins: [keepLocations],
  });
  // Its process would keep Jest from ending.
  await stop();
  await mkdir(directory, { recursive: true });
  for (const { path, text } of outputFiles)
    await writeFile(path, inAscii(keepNamesOfRenamed(text)), 'latin1');
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction');
  for (const name of Object.keys(PROGRAMS)) {
    await copyFile(new URL('run-cached.cjs', import.meta.url), join(directory, `${name}.cjs`));
  }
  return directory;
}

/** `program` is a parameter of the script: see run-cached.cjs. */
function chooseProgram() {
  return Object.entries(PROGRAMS)
    .map(([name, path]) => `if (program === '${name}') require('./${path}');`)
    .join('\n');
}

/** esbuild sets the names of all functions and classes, even if it has not renamed them. */
function keepNamesOfRenamed(text) {
  const always = '__name=(target,value)=>';
  if (!text.includes(always)) throw new Error(`esbuild no longer sets names with "${always}".`);
  return text.replace(always, `${always}target.name===value?target:`);
}

/** Node and V8 process text faster if each character is one byte. esbuild leaves other characters only in regular expressions and comments. */
function inAscii(text) {
  return text.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Code that looks for files next to itself finds them where they are. */
const keepLocations = {
  name: 'keep-locations',
  setup(builder) {
    builder.onResolve({ filter: OPTIONAL }, ({ path }) => ({ path, external: true }));
    builder.onLoad({ filter: LOOKS_AROUND }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const code = text
        // Nest also loads some packages at run time. These must be the bundled ones, with their named exports.
        .replace(/^const require = createRequire\(import\.meta\.url\);$/m, '')
        .replace(/\bimport\(('class-(?:transformer|validator)')\)/g, 'require($1)')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replace(/\b__dirname\b/g, JSON.stringify(dirname(path)));
      return {
        contents: ENTRY.test(path) ? inAsyncFunction(code) : code,
        loader: 'js',
        resolveDir: dirname(path),
      };
    });
  },
};

function inAsyncFunction(code) {
  const end = code.lastIndexOf("';", code.search(/^(?!import |\/\*|\/\/)\S/m)) + 2;
  return `${code.slice(0, end)}\nvoid (async () => {${code.slice(end)}\n})();`;
}
