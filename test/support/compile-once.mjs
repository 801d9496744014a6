import vm from 'node:vm';

/**
 * Jest compiles every module again for each test file. V8 finds the code of an earlier one, including its inner functions, for a script
 * with the same text and name, but not for the functions that Jest asks for.
 */
vm.compileFunction = (code, parameters, { filename, parsingContext }) => {
  const start = `(function (${parameters.join()}) {`;
  const script = new vm.Script(`${start}${code}\n})`, { filename, columnOffset: -start.length });
  return script.runInContext(parsingContext);
};
