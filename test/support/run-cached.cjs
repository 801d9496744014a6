/** Runs the bundle next to it, with the compiled code that an earlier run has cached there. */
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { Script, constants } = require('node:vm');

const bundle = __filename.replace(/\.cjs$/, '.bundle.cjs');
const cache = `${bundle}.cache`;

const cachedData = readIfThere(cache);
const script = new Script(wrap(readFileSync(bundle, 'latin1')), {
  filename: bundle,
  cachedData,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
if (cachedData === undefined || script.cachedDataRejected) process.once('exit', keepCompiledCode);
script.runInThisContext()(exports, require, module, bundle, __dirname);

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
