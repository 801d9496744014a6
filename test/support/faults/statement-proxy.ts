import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Selects a statement by its text and by an earlier statement of the same transaction. */
export interface StatementMatch {
  readonly statement: RegExp;
  readonly since?: RegExp;
  /** Applies until `heal` instead of once. */
  readonly always?: boolean;
}

/**
 * - `cut`: both connections are reset; the statement never arrives.
 * - `cutAfter`: Postgres executes it; the response is lost.
 * - `before`, `after`: calls the test before the statement is forwarded, or after the response, and continues when the call returns.
 */
export type StatementFault =
  'cut' | 'cutAfter' | { before: () => Promise<void> | void } | { after: () => Promise<void> | void };

interface Rule extends StatementMatch {
  readonly fault: StatementFault;
}

/** A proxy between the service and Postgres that recognizes statements. A rule applies once, unless it says otherwise. */
export class StatementProxy {
  private rules: Rule[] = [];
  private readonly counts: { statement: RegExp; times: number }[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
  ) {}

  static async to(databaseUrl: string): Promise<StatementProxy> {
    const { hostname, port } = new URL(databaseUrl);
    const server = createServer();
    const proxy = new StatementProxy(server, { host: hostname, port: Number(port) || 5432 });
    server.on('connection', (near: Socket) => proxy.link(near));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  via(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as { port: number }).port);
    return url.toString();
  }

  on(match: StatementMatch, fault: StatementFault): void {
    this.rules.push({ ...match, fault });
  }

  /** Counts how often the statement is sent from now on, by its text or, once prepared, by its name. */
  count(statement: RegExp): { readonly times: number } {
    const count = { statement, times: 0 };
    this.counts.push(count);
    return count;
  }

  /** Whether every rule has been applied. */
  get isHealed(): boolean {
    return this.rules.length === 0;
  }

  heal(): void {
    this.rules = [];
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private link(near: Socket): void {
    const far = connect(this.target);
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', end).on('close', end);
      socket.on('close', () => this.sockets.delete(socket));
    }
    let transaction = '';
    // Responses wait for this; null if nothing is held back.
    let onResponse: (() => Promise<void>) | null = null;

    near.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      for (const count of this.counts) if (count.statement.test(text)) count.times++;
      if (/START TRANSACTION|BEGIN/.test(text)) transaction = '';
      const fault = this.take(text, transaction);
      transaction += text;
      if (fault === null) return void far.write(chunk);
      if (fault === 'cut') return void near.resetAndDestroy();
      if (fault === 'cutAfter') {
        onResponse = () => Promise.resolve(void near.resetAndDestroy());
        return void far.write(chunk);
      }
      if ('after' in fault) {
        onResponse = async () => fault.after();
        return void far.write(chunk);
      }
      near.pause();
      void Promise.resolve(fault.before()).then(() => {
        if (near.destroyed) return;
        far.write(chunk);
        near.resume();
      });
    });
    far.on('data', (chunk: Buffer) => {
      const waiting = onResponse;
      if (waiting === null) return void near.write(chunk);
      onResponse = null;
      far.pause();
      void waiting().then(() => {
        if (near.destroyed) return;
        near.write(chunk);
        far.resume();
      });
    });
  }

  private take(text: string, transaction: string): StatementFault | null {
    const rule = this.rules.find(
      ({ statement, since }) => statement.test(text) && (since?.test(transaction) ?? true),
    );
    if (!rule) return null;
    if (!rule.always) this.rules = this.rules.filter((other) => other !== rule);
    return rule.fault;
  }
}
