import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export interface RawAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly body: string;
}

/** Sends the path exactly as it is given: no normalizing of slashes, dots or percent signs. */
export async function rawRequest(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const sent = request({
    hostname,
    port,
    method,
    path,
    agent,
    headers: {
      ...headers,
      ...(payload === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    },
  });
  sent.end(payload);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  if (answer.headers['content-type']?.startsWith('text/event-stream')) {
    // It would never end.
    sent.destroy();
    return { status: answer.statusCode!, code: null, body: '' };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return { status: answer.statusCode!, code: /"code":"([a-z_]+)"/.exec(text)?.[1] ?? null, body: text };
}

/** Sends arbitrary bytes, and returns everything received until the connection ends. */
export async function sendText(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  // It may be closed while the rest is still being sent.
  socket.on('error', () => undefined);
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/** Several at a time, in order of the list. */
export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}
