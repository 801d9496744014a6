#!/usr/bin/env node
/** Stands in for curl where documents use it: the same options, and a line in CURL_LOG about each response. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', short: 'd' },
    header: { type: 'string', short: 'H', multiple: true },
    'no-buffer': { type: 'boolean', short: 'N' },
    output: { type: 'string', short: 'o' },
    request: { type: 'string', short: 'X' },
    silent: { type: 'boolean', short: 's' },
    'upload-file': { type: 'string', short: 'T' },
  },
});
const [url, ...others] = positionals;
if (url === undefined || others.length > 0)
  throw new Error(`expected one address, got ${positionals.length}`);

/** Endless responses are read for this long. */
const WATCHED_MS = 1_500;

const { data, 'upload-file': file } = values;
const method = values.request ?? (data !== undefined ? 'POST' : file !== undefined ? 'PUT' : 'GET');
const headers = (values.header ?? []).map((line) => line.split(/:\s*/, 2));
const body = data ?? (file === undefined ? undefined : readFileSync(file));
const response = await fetch(url, { method, headers, body, redirect: 'manual' });
const bytes = values['no-buffer']
  ? await read(response.body, WATCHED_MS)
  : Buffer.from(await response.arrayBuffer());
const isText = /json|text/.test(response.headers.get('content-type') ?? '');
appendFileSync(
  process.env.CURL_LOG,
  `${JSON.stringify({ method, url, status: response.status, body: isText ? bytes.toString() : '' })}\n`,
);
if (values.output === undefined) process.stdout.write(bytes);
else writeFileSync(values.output, bytes);
// An endless response keeps the process alive.
if (values['no-buffer']) process.exit();

async function read(stream, milliseconds) {
  const chunks = [];
  const reader = stream.getReader();
  const timer = setTimeout(() => void reader.cancel(), milliseconds);
  for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(part.value);
  clearTimeout(timer);
  return Buffer.concat(chunks);
}
