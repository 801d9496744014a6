/** Runs the program that this file is named after, with the compiled code that an earlier run has cached. */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { Script, constants } = require('node:vm');

const program = basename(__filename, '.cjs');
const bundle = join(__dirname, 'programs.bundle.cjs');
const cache = join(__dirname, `${program}.cache`);

const cachedData = readIfThere(cache);
const script = new Script(
  `(function (exports, require, module, __filename, __dirname, program) { ${readFileSync(bundle, 'latin1')}\n})`,
  { filename: bundle, cachedData, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
);
if (cachedData === undefined || script.cachedDataRejected) process.once('exit', keepCompiledCode);
script.runInThisContext()(exports, require, module, bundle, __dirname, program);

/** At the end, when every function that a start needs has been compiled. */
function keepCompiledCode() {
  const written = `${cache}.${process.pid}`;
  writeFileSync(written, script.createCachedData());
  renameSync(written, cache);
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
