/**
 * Runs the services of all test files in one process, each with its own settings, database, port and log. Most of the CPU time of a test
 * used to be a new process compiling the same code again. They share the metrics, the limits of lists and texts, and idle
 * decoders: see service-host.ts.
 *
 *   fork('run-services.mjs', [<directory of the logs>])    sends its address, and ends with its parent
 */
import './cheap-passwords.mjs';
import { withLog } from './separate-logs.mjs';
import 'reflect-metadata';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readConfig } from '../../../dist/src/config/config.js';
import { serve } from '../../../dist/src/process/serve.js';
import { shareIdleDecoders } from './idle-decoders.mjs';

const [, , logs] = process.argv;
/** How to stop the services that are running, by port. */
const running = new Map();
/** The settings of those that several test files use, by name. */
const shared = new Map();

shareIdleDecoders();
// Every service adds some.
process.setMaxListeners(0);

const answers = {
  /** The settings of a shared service. */
  GET: (name) => shared.get(name) ?? null,
  /** Starts a service. With a name, others can find it. */
  async POST(name, request) {
    const settings = JSON.parse(await text(request));
    const log = join(logs, `${settings.PORT}.log`);
    running.set(settings.PORT, await withLog(log, () => serve(readConfig({ ...process.env, ...settings }))));
    if (name !== '') shared.set(name, settings);
    return settings;
  },
  async DELETE(port) {
    await running.get(port)();
    return running.delete(port);
  },
  /** Runs another program for the tests that needs the built application. */
  async PUT(name) {
    const { default: run } = await import(`../${name}`);
    return run();
  },
};

const server = createServer((request, response) => {
  Promise.resolve(answers[request.method](request.url.slice(1), request)).then(
    (answer) => response.end(JSON.stringify(answer)),
    (error) => response.writeHead(500).end(error.stack),
  );
});
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
process.once('disconnect', () => process.exit());
