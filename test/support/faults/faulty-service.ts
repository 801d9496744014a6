import { Bucket } from '../store/bucket.js';
import type { Overrides } from '../services/environment.js';
import { FaultProxy } from './fault-proxy.js';
import { newClient } from '../api/people.js';
import {
  launch,
  launchProcess,
  newSettings,
  OWNER,
  type Service,
  type ServiceProcess,
} from '../services/service.js';
import { StatementProxy } from './statement-proxy.js';
import { Uploader } from '../api/uploads.js';

/** A service that reaches its database and its store only through proxies that fail on demand; browsers reach the store directly. */
export class FaultyService<S extends Service = Service> {
  private constructor(
    public service: S,
    readonly store: FaultProxy,
    readonly database: StatementProxy,
    readonly bucket: Bucket,
    /** Directly, not through a proxy. */
    readonly databaseUrl: string,
    readonly clientId: string,
    public uploader: Uploader,
  ) {}

  static start(overrides: Overrides = {}): Promise<FaultyService> {
    return FaultyService.with(launch, overrides);
  }

  /** In a process of its own, which a test can kill. */
  static startProcess(overrides: Overrides = {}): Promise<FaultyService<ServiceProcess>> {
    return FaultyService.with(launchProcess, overrides);
  }

  private static async with<S extends Service>(
    run: (settings: Overrides) => Promise<S>,
    overrides: Overrides,
  ): Promise<FaultyService<S>> {
    const place = await newSettings();
    const { DATABASE_URL: databaseUrl, STORAGE_ENDPOINT } = place;
    const store = await FaultProxy.to(STORAGE_ENDPOINT);
    const database = await StatementProxy.to(databaseUrl);
    const service = await run({
      ...place,
      DATABASE_URL: database.via(databaseUrl),
      STORAGE_ENDPOINT: store.endpoint,
      STORAGE_PUBLIC_ENDPOINT: STORAGE_ENDPOINT,
      // Signed in once, for the whole run.
      AUTH_ACCESS_TOKEN_SECONDS: '86400',
      ...overrides,
    });
    const owner = await service.api.signIn(OWNER);
    const clientId = await newClient(owner);
    const bucket = new Bucket({ bucket: service.bucket, databaseUrl });
    const uploader = Uploader.admin(owner, clientId);
    return new FaultyService(service, store, database, bucket, databaseUrl, clientId, uploader);
  }

  /** kill -9, then a restart of the same service; sign-ins stay valid. */
  async crashAndRestart(this: FaultyService<ServiceProcess>, overrides: Overrides = {}): Promise<void> {
    await this.service.kill();
    this.heal();
    this.service = await this.service.restart(overrides);
  }

  heal(): void {
    this.store.heal();
    this.database.heal();
  }

  async close(): Promise<void> {
    this.heal();
    await this.service.stop();
    this.bucket.close();
    await Promise.all([this.store.close(), this.database.close()]);
  }
}

/** The requests of a finalize to the store, in order. */
export const STORE_STEPS = {
  'copying it': { method: 'PUT', key: /\/assets\// },
  'reading the copy': { method: 'GET', key: /\/assets\// },
} as const;

/** The statements of a finalize; see FinalizeLease. One prepared statement finds the session and takes its lease. */
export const STATEMENTS = {
  takeLease: { statement: /take-open-session/ },
  finishSession: { statement: /UPDATE upload_sessions SET status = 'finalized'/ },
  insertAsset: { statement: /INSERT INTO "assets"/ },
  commitAsset: { statement: /COMMIT/, since: /INSERT INTO "assets"/ },
} as const;
