/** The minimum for a range of a video: Node's own server forwarding what the store sends. */
import { Agent, createServer, get } from 'node:http';
import { pipeline } from 'node:stream';

const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  if (request.url === '/healthz') return response.end();
  const { range } = request.headers;
  get(process.env.FILM_URL, { agent, headers: { range } }, (part) => {
    response.writeHead(part.statusCode, { 'content-length': part.headers['content-length'] });
    pipeline(part, response, () => undefined);
  });
}).listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
