const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** Browsers limit the connections per host, so a hidden window closes its own. */
const CLOSE_HIDDEN_AFTER_MS = 30_000;

export interface StreamHandlers {
  readonly events: Readonly<Record<string, (data: object) => void>>;
  /** Events may have been missed. */
  onGap: () => void;
  /** Called before reconnecting after the server rejected the connection. Returns false to give up. */
  mayReconnect: () => Promise<boolean>;
}

/**
 * Receives server-sent events while the page is visible. Reconnects with increasing delays, and reports when events may
 * have been missed.
 */
export class EventStream {
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private hasGap = false;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly handlers: StreamHandlers,
  ) {
    document.addEventListener('visibilitychange', this.onVisibility);
    this.connect();
  }

  close(): void {
    this.isClosed = true;
    document.removeEventListener('visibilitychange', this.onVisibility);
    clearTimeout(this.hiddenTimer);
    this.disconnect();
  }

  private readonly onVisibility = (): void => {
    clearTimeout(this.hiddenTimer);
    if (document.visibilityState === 'hidden') {
      this.hiddenTimer = setTimeout(() => this.disconnect(), CLOSE_HIDDEN_AFTER_MS);
    } else if (!this.source) {
      clearTimeout(this.timer);
      this.connect();
    }
  };

  private connect(): void {
    const source = new EventSource(this.url);
    this.source = source;
    source.addEventListener('open', () => {
      this.failures = 0;
      if (this.hasGap) this.handlers.onGap();
      this.hasGap = false;
    });
    source.addEventListener('error', () => {
      // After a lost connection, the browser itself reconnects with the last event id, but not after a rejection.
      if (source.readyState !== EventSource.CLOSED || this.source !== source) return;
      this.disconnect();
      void this.reconnectLater();
    });
    for (const [name, handle] of Object.entries(this.handlers.events))
      source.addEventListener(name, (event: MessageEvent<string>) => handle(parsed(event.data)));
  }

  private disconnect(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
    this.hasGap = true;
  }

  private async reconnectLater(): Promise<void> {
    const pause = PAUSES_MS[Math.min(this.failures++, PAUSES_MS.length - 1)] ?? 0;
    if (!(await this.handlers.mayReconnect()) || this.isClosed) return;
    this.timer = setTimeout(() => {
      if (document.visibilityState === 'visible') this.connect();
    }, pause);
  }
}

function parsed(text: string): object {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}
