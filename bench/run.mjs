/** `npm run bench [name…]`: runs all benchmarks in this folder, or the named ones, and prints a table. It stores nothing. */
import { readdirSync } from 'node:fs';

const available = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.mjs') && file !== 'run.mjs')
  .map((file) => file.replace(/\.mjs$/, ''));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : available;

const unknown = wanted.filter((name) => !available.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Available: ${available.join(', ')}.`);
  process.exit(1);
}

const marks = [];
for (const name of wanted) {
  const { title, run } = await import(`./${name}.mjs`);
  console.log(`\n${name}: ${title}\n`);
  const result = await run();
  console.log(table(result.rows));
  console.log(`\n${result.conclusion}`);
  marks.push(...(result.marks ?? []));
}
if (marks.length > 0) console.log(`\nAgainst the floors, in this run:\n\n${table(marks.map(markRow))}`);

/** Peak memory of the service's own process, and of all its children together. */
function markRow({ row, workload, ours, floor, ratio, mark, met, ...memory }) {
  return {
    row,
    workload,
    ours,
    floor,
    ratio: Math.round(ratio * 100) / 100,
    mark,
    result: met ? 'met' : 'missed',
    'peak MB': memory['peak MB'] ?? '',
    'children MB': memory['children MB'] ?? '',
  };
}

/** Columns in the order of the first row's members; numbers are right-aligned. */
function table(rows) {
  const names = Object.keys(rows[0]);
  const widths = names.map((name) =>
    Math.max(...[name, ...rows.map((row) => row[name])].map((cell) => String(cell).length)),
  );
  const line = (cells) =>
    cells
      .map((cell, index) =>
        typeof cell === 'number' ? String(cell).padStart(widths[index]) : String(cell).padEnd(widths[index]),
      )
      .join('  ');
  return [
    line(names),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map((row) => line(Object.values(row))),
  ].join('\n');
}
