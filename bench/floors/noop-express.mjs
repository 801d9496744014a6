/** The minimum for any response with Express 5: a small constant as JSON. */
import express from 'express';

const app = express();
app.get('/', (_request, response) => response.json({ status: 'ok' }));
app.get('/healthz', (_request, response) => response.json({ status: 'ok' }));
const server = app.listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});
