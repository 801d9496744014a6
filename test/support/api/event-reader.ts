import type { Api } from './api.js';

export interface ReceivedEvent {
  readonly name: string;
  readonly data: Record<string, any>;
}

/** Reads server-sent events as a browser does: names, data, the last id, and when the stream ends. */
export class EventReader {
  readonly events: ReceivedEvent[] = [];
  readonly headers: Headers;
  lastEventId = '';
  heartbeats = 0;
  isEnded = false;
  private readonly stopping: AbortController;

  private constructor(response: Response, stopping: AbortController) {
    this.headers = response.headers;
    this.stopping = stopping;
    void this.read(response).catch(() => (this.isEnded = true));
  }

  static async open(api: Api, path: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const stopping = new AbortController();
    const response = await api.fetch('GET', path, { headers, signal: stopping.signal });
    if (response.status !== 200) throw new Error(`Opening ${path} returned ${response.status}`);
    return new EventReader(response, stopping);
  }

  /** Waits until such an event has arrived, and returns all events so far. */
  async until(isWanted: (event: ReceivedEvent) => boolean, seconds = 10): Promise<ReceivedEvent[]> {
    for (const deadline = Date.now() + seconds * 1000; !this.events.some(isWanted);) {
      if (Date.now() > deadline)
        throw new Error(`No such event within ${seconds} s: ${JSON.stringify(this.events)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.events;
  }

  /** Clears the received events. */
  clear(): void {
    this.events.length = 0;
  }

  close(): void {
    this.stopping.abort();
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      rest += decoder.decode(chunk, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) this.take(block);
    }
    this.isEnded = true;
  }

  private take(block: string): void {
    let name = 'message';
    let data: string | null = null;
    for (const line of block.split('\n')) {
      if (line === ': heartbeat') this.heartbeats++;
      const [, field, value] = /^(\w+): (.*)$/.exec(line) ?? [];
      if (field === 'event') name = value!;
      if (field === 'data') data = value!;
      if (field === 'id') this.lastEventId = value!;
    }
    if (data !== null) this.events.push({ name, data: JSON.parse(data) });
  }
}
