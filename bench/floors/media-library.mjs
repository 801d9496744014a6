/** A WordPress site that does nothing with its uploads: the routes that a delivery needs, with Node's own server. */
import { createServer } from 'node:http';

const user = { id: 1, name: 'Bench', roles: ['author'], capabilities: { upload_files: true } };
let nextId = 1;

const server = createServer((request, response) => {
  const { method, url } = request;
  const root = `http://${request.headers.host}/wp-json/`;
  const json = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (url === '/healthz') return response.end();
  if (url.startsWith('/wp-json/wp/v2/media') && method === 'POST') return receive(request, root, json);
  if (url.startsWith('/wp-json/wp/v2/media') && method === 'OPTIONS')
    return response.writeHead(200, { allow: 'GET, POST' }).end('{}');
  if (url.startsWith('/wp-json/wp/v2/media')) return json(200, []);
  if (url.startsWith('/wp-json/wp/v2/users/me')) return json(200, user);
  if (url.startsWith('/wp-json'))
    return json(200, { namespaces: ['wp/v2'], authentication: { 'application-passwords': {} } });
  response.writeHead(200, { link: `<${root}>; rel="https://api.w.org/"` }).end();
}).listen(Number(process.env.PORT), process.env.HOST);

/** The slug is in the first field of the form; the file is counted and dropped. */
function receive(request, root, json) {
  let head = '';
  let bytes = 0;
  request.on('data', (chunk) => {
    if (head.length < 500) head += chunk.toString('latin1', 0, 500);
    bytes += chunk.length;
  });
  request.once('end', () => {
    const slug = /name="slug"\r\n\r\n([\w-]+)/.exec(head)?.[1] ?? 'none';
    const id = nextId++;
    json(201, {
      id,
      slug,
      source_url: `${root}uploads/${id}.jpg`,
      media_type: 'image',
      media_details: { filesize: bytes, sizes: {} },
    });
  });
}

process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
