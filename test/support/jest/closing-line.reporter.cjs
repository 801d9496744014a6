/** Ends a run with one machine-readable line: `12 passed, 0 failed`. */
module.exports = class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const brokenFiles = results.numRuntimeErrorTestSuites;
    const failed = results.numFailedTests + brokenFiles;
    const skipped = results.numPendingTests + results.numTodoTests;
    const tail = skipped > 0 ? `, ${skipped} skipped` : '';
    process.stdout.write(`${results.numPassedTests} passed, ${failed} failed${tail}\n`);
  }
};
