/** The minimum for a thumbnail: Node's own server, the token check, and bytes in memory. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { activeUser } from './access-token.mjs';

const bytes = readFileSync(process.env.THUMBNAIL);
const headers = { 'content-type': 'image/webp', 'content-length': bytes.length };

const server = createServer(async (request, response) => {
  if (request.url === '/healthz') response.end();
  else if (await activeUser(request)) response.writeHead(200, headers).end(bytes);
  else response.writeHead(401).end();
}).listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
