/**
 * A process that runs the embedded Postgres, for tests that kill it. Its one argument is the options as JSON. It writes
 * one JSON line per event and accepts the commands `stop` and `insert` on its input. `insert` inserts rows until the
 * process ends and reports each after its commit.
 */
import { createInterface } from 'node:readline';
import pg from 'pg';
import { startPostgres } from '../dist/index.js';

const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

const options = JSON.parse(process.argv[2]);
const postgres = await startPostgres({ ...options, log: (line) => say({ log: line }) }).catch((error) => {
  say({ error: error.message });
  process.exit(1);
});

async function insertForever() {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table if not exists numbers (n integer primary key)');
  for (let n = 1; ; n += 1) {
    await client.query('insert into numbers values ($1)', [n]);
    say({ inserted: n });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'insert') void insertForever().catch(() => undefined);
  if (line === 'stop') void postgres.stop().then(() => process.exit(0));
});
// Like the service: Ctrl-C reaches every process of the terminal, and the database must outlive the last request.
process.on('SIGINT', () => {
  const client = new pg.Client({ connectionString: postgres.url });
  setTimeout(() => {
    client
      .connect()
      .then(() => client.end())
      .then(() => postgres.stop())
      .then(() => say({ stopped: true }))
      .then(() => process.exit(0))
      .catch((error) => {
        say({ error: error.message });
        process.exit(1);
      });
  }, 300);
});

// Last, because the reader may send a signal immediately.
say({ url: postgres.url, port: postgres.port });
