/** The minimum for an archive: Express 5, and one file after the other from the S3 client, zipped by archiver or manually. */
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ZipArchive } from 'archiver';
import express from 'express';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

const { connection, bucket, keys } = JSON.parse(readFileSync(process.env.OBJECTS_FILE, 'utf8'));
const s3 = new S3Client(connection);
const app = express();
app.get('/healthz', (_request, response) => response.json({ status: 'ok' }));

app.get('/archiver', async (request, response) => {
  const archive = new ZipArchive({ store: true });
  archive.pipe(response);
  for (const [index, key] of keys[request.query.of].entries()) {
    archive.append(await open(key), { name: `${index}.jpg` });
    await once(archive, 'entry');
  }
  await archive.finalize();
});

app.get('/by-hand', async (request, response) => {
  let offset = 0;
  const central = [];
  const write = async (bytes) => {
    offset += bytes.length;
    if (!response.write(bytes)) await once(response, 'drain');
  };
  for (const [index, key] of keys[request.query.of].entries()) {
    const entry = { name: Buffer.from(`${index}.jpg`), offset, size: 0, crc: 0 };
    await write(Buffer.concat([header(0x04034b50, [], entry, 0), entry.name]));
    for await (const chunk of await open(key)) {
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      await write(chunk);
    }
    await write(words([4, 0x08074b50], [4, entry.crc], [4, entry.size], [4, entry.size]));
    central.push(header(0x02014b50, [[2, 20]], entry, entry.size), tail(entry), entry.name);
  }
  const directory = Buffer.concat(central);
  const count = central.length / 3;
  const start = offset;
  await write(directory);
  response.end(
    words([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, directory.length], [4, start], [2, 0]),
  );
});

const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});

async function open(Key) {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
  return Body;
}

/** The common part of local and central headers. If `size` is 0, sizes and checksum are in the data descriptor. */
function header(signature, made, { name, crc }, size) {
  const dosTime = [4, 0x5c21_0000];
  return words(
    [4, signature],
    ...made,
    ...[[2, 20], [2, 8], [2, 0], dosTime, [4, size && crc], [4, size], [4, size], [2, name.length], [2, 0]],
  );
}

function tail({ offset }) {
  return words([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
}

function words(...fields) {
  const bytes = Buffer.alloc(fields.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of fields) at = bytes.writeUIntLE(value, at, length);
  return bytes;
}
