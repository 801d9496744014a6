/** The least that an archive takes: Express 5 and archiver, one file after the other from the disk. */
import { ZipArchive } from 'archiver';
import express from 'express';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';

const directory = process.env.FILES_DIRECTORY;
const app = express();
app.get('/healthz', (_request, response) => response.json({ status: 'ok' }));
app.get('/download', (request, response) => {
  const archive = new ZipArchive({ store: true });
  archive.pipe(response);
  const names = readdirSync(directory).slice(0, Number(request.query.files));
  for (const name of names) archive.append(createReadStream(join(directory, name)), { name });
  void archive.finalize();
});
const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
