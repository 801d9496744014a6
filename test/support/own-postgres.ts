import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './service.js';

/** A separate Postgres server that the test can stop and start. */
export class OwnPostgres {
  private child: ChildProcess | null = null;
  url = '';

  private constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const postgres = new OwnPostgres(mkdtempSync(join(tmpdir(), 'asset-library-own-')), await freePort());
    await postgres.launch();
    return postgres;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.launch();
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async launch(): Promise<void> {
    const options = JSON.stringify({ directory: join(this.directory, 'postgres'), port: this.port });
    const child = spawn(process.execPath, [join(__dirname, 'postgres-child.mjs'), options], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.child = child;
    this.url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`Postgres ended with ${code}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const event = JSON.parse(line) as { url?: string; error?: string };
        if (event.error) reject(new Error(event.error));
        if (event.url) resolve(event.url);
      });
    });
  }

  private async stop(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin!.write('stop\n');
    await ended;
  }
}
