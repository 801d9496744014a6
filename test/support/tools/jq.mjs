#!/usr/bin/env node
/** Stands in for jq where documents use it: paths, `|`, `[…]` and `{a, b}`, with -r and -c. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'raw-output': { type: 'boolean', short: 'r' },
    'compact-output': { type: 'boolean', short: 'c' },
  },
});
const input = JSON.parse(readFileSync(0, 'utf8'));
for (const result of (positionals[0] ?? '.').split('|').reduce(applied, [input])) {
  const isRaw = values['raw-output'] && typeof result === 'string';
  console.log(isRaw ? result : JSON.stringify(result, null, values['compact-output'] ? 0 : 2));
}

/** Every result of a filter for every one of the inputs. */
function applied(inputs, filter) {
  const text = filter.trim();
  const [, collected] = /^\[(.*)\]$/.exec(text) ?? [];
  if (collected !== undefined) return inputs.map((each) => applied([each], collected));
  const [, names] = /^\{([\w, ]+)\}$/.exec(text) ?? [];
  if (names !== undefined)
    return inputs.map((each) =>
      Object.fromEntries(names.split(/, */).map((name) => [name, each[name] ?? null])),
    );
  if (!/^\.(\w+|\[\d*\]|\.)*$/.test(text)) throw new Error(`unknown filter: ${text}`);
  return [...text.matchAll(/\w+|\[\]/g)].reduce(
    (results, [step]) => results.flatMap((each) => stepped(each, step)),
    inputs,
  );
}

function stepped(value, step) {
  if (step === '[]') return Object.values(value);
  return [value?.[step] ?? null];
}
