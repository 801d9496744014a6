import type { Response } from 'express';
import type { ClientScope } from '../access/principal.js';
import { EventStream } from './event-stream.js';

/** The part of a response that streams use; `writableLength` is what the caller has not read yet. */
class FakeResponse {
  writableEnded = false;
  destroyed = false;
  writableLength = 0;
  readonly written: string[] = [];
  writeHead(): void {}
  write(text: string): void {
    this.written.push(text);
    this.writableLength += text.length;
  }
  destroy(): void {
    this.destroyed = true;
  }
  end(): void {
    this.writableEnded = true;
  }
}

function open() {
  const response = new FakeResponse();
  const scope = { clientId: 'demo', actor: { role: 'viewer', surfaces: null } } as unknown as ClientScope;
  return { response, stream: new EventStream(scope, response as unknown as Response) };
}

describe('EventStream', () => {
  const event = { kind: 'asset', name: 'asset.changed', data: { assetIds: ['x'.repeat(1_000)] } } as const;

  it('is closed when the caller does not read it, before it takes much memory', () => {
    const { response, stream } = open();
    for (let sent = 0; sent < 1_000; sent++) stream.send([event], `${sent}`);
    expect(response.destroyed).toBe(true);
    expect(response.writableLength).toBeLessThan(300_000);
  });

  it('stays open for a caller who reads', () => {
    const { response, stream } = open();
    for (let sent = 0; sent < 1_000; sent++) {
      stream.send([event], `${sent}`);
      response.writableLength = 0;
    }
    expect(response.destroyed).toBe(false);
    expect(response.written.at(-1)).toContain('id: 999\n');
  });
});
