import { get, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Uploads to a new client, step by step or completely. */
export async function uploaderOf({ call }) {
  const { clientId } = await call('/admin/clients', { name: 'Bench' });
  const assets = `/admin/clients/${clientId}/assets`;
  const open = (originalFilename, mimeType, expectedSizeBytes) =>
    call(`${assets}/upload-session`, { originalFilename, mimeType, expectedSizeBytes });
  const finalize = ({ uploadToken }) => call(`${assets}/upload-session/finalize`, { uploadToken });
  const upload = async (filename, mimeType, sizeBytes, chunks) => {
    const session = await open(filename, mimeType, sizeBytes);
    await put(session.uploadUrl, sizeBytes, chunks);
    return finalize(session);
  };
  return { assets, open, finalize, upload };
}

/** A streamed PUT of a known length. */
export async function put(url, length, chunks) {
  const outgoing = request(url, { method: 'PUT', headers: { 'content-length': length } });
  const responded = new Promise((resolve, reject) =>
    outgoing.once('response', resolve).once('error', reject),
  );
  await pipeline(Readable.from(chunks), outgoing);
  const response = await responded;
  response.resume();
  if (response.statusCode !== 200) throw new Error(`The PUT returned ${response.statusCode}.`);
}

/** Reads and discards the whole response; returns its number of bytes. */
export function takeAll(url, token, headers = {}) {
  return new Promise((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${token}`, ...headers } }, (response) => {
      if (response.statusCode >= 300) reject(new Error(`${url} returned ${response.statusCode}.`));
      let bytes = 0;
      response.on('data', (chunk) => (bytes += chunk.length));
      response.once('end', () => resolve(bytes));
      response.once('error', reject);
    }).once('error', reject);
  });
}

/** Runs each of this many tasks once, some in parallel; returns the results in order. */
export async function inParallel(count, atOnce, work) {
  const results = new Array(count);
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = next++; index < count; index = next++) results[index] = await work(index);
    }),
  );
  return results;
}
