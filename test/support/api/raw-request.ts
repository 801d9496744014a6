import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export interface RawResponse {
  readonly status: number;
  readonly code: string | null;
  readonly body: string;
}

/** Sends the path exactly as given, without normalizing slashes, dots or percent signs. */
export async function rawRequest(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<RawResponse> {
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
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.headers['content-type']?.startsWith('text/event-stream')) {
    // It would never end.
    sent.destroy();
    return { status: response.statusCode!, code: null, body: '' };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return { status: response.statusCode!, code: /"code":"([a-z_]+)"/.exec(text)?.[1] ?? null, body: text };
}

/** Sends arbitrary bytes, and returns everything received until the connection ends. */
export async function sendText(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let response = '';
  socket.on('data', (chunk: Buffer) => (response += chunk.toString('latin1')));
  // It may be closed while the rest is still being sent.
  socket.on('error', () => undefined);
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return response;
}

/** Runs several at a time; the results are in the order of the list. */
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
