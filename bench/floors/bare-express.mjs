/**
 * The minimum for `GET /auth/me`: Express 5 and pg, manual token verification, and the same query on a pool of the same
 * size. The difference from our service is the cost of the framework and our code.
 */
import express from 'express';
import { activeUser } from './access-token.mjs';

const app = express();
app.get('/healthz', (_request, response) => response.json({ status: 'ok' }));
app.get('/auth/me', async (request, response) => {
  const user = await activeUser(request);
  if (!user) return response.status(401).json({ status: 401 });
  const { id, email, name, role, client_ids } = user;
  response.json({ userId: id, email, name, role, permissions: [], clientIds: client_ids });
});
const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
