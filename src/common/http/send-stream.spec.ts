import type { Response } from 'express';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { sendStream } from './send-stream.js';

type Open = Parameters<typeof sendStream>[1];

/** The result of sending, and what the caller receives: the body, or null if the connection was closed. */
async function send(open: Open, onResponse = (response: IncomingMessage) => void response.resume()) {
  let sending!: Promise<{ sent: boolean } | { error: Error; canRespond: boolean }>;
  const server = createServer((_request, response: ServerResponse) => {
    sending = sendStream(response as Response, open).then(
      (sent) => ({ sent }),
      (error: Error) => {
        const canRespond = !response.headersSent && !response.destroyed;
        if (canRespond) response.writeHead(503).end();
        return { error, canRespond };
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const received = await new Promise<number | null>((resolve) => {
    get({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.on('end', () => resolve(response.statusCode!)).on('error', () => resolve(null));
      response.on('close', () => resolve(null));
      onResponse(response);
    }).on('error', () => resolve(null));
  });
  const outcome = await sending;
  server.close();
  return { outcome, received };
}

describe('A streamed body', () => {
  it('is sent completely', async () => {
    expect(await send(() => Promise.resolve(Readable.from(['a', 'b'])))).toEqual({
      outcome: { sent: true },
      received: 200,
    });
    expect((await send(() => Promise.resolve(Readable.from([])))).received).toBe(200);
  });

  it('that fails before its first byte results in a problem response', async () => {
    const body = new Readable({ read: () => undefined });
    const { outcome, received } = await send(() => {
      setImmediate(() => body.destroy(new Error('broken')));
      return Promise.resolve(body);
    });
    expect(outcome).toMatchObject({ error: { message: 'broken' }, canRespond: true });
    expect(received).toBe(503);
  });

  it('that fails midway closes the connection, and is distinguished from a caller who disconnects', async () => {
    const body = new Readable({ read: () => undefined });
    body.push('beginning');
    const { outcome, received } = await send(
      () => Promise.resolve(body),
      (response) => void response.once('data', () => body.destroy(new Error('broken'))),
    );
    expect(outcome).toMatchObject({ error: { message: 'broken' }, canRespond: false });
    expect(received).toBeNull();
  });

  it('is closed when the caller disconnects, which is not an error', async () => {
    const body = new Readable({ read: () => undefined });
    body.push('beginning');
    const { outcome } = await send(
      () => Promise.resolve(body),
      (response) => void response.once('data', () => response.destroy()),
    );
    expect(outcome).toEqual({ sent: true });
    expect(body.destroyed).toBe(true);
  });
});
