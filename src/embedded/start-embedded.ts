import type { INestApplicationContext } from '@nestjs/common';
import { destination } from 'pino';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { configureLogger } from '../common/logging/logger.js';
import { type Config, CONTROL_SECONDS, type EmbeddedConfig } from '../config/config.js';
import { Installation } from '../storage/installation.js';
import { StorageService } from '../storage/storage.service.js';
import { printWelcome } from './welcome.js';
import { ensureDemo } from './demo.js';
import { type EmbeddedServers, loadEmbeddedServers } from './embedded-servers.js';
import { readSecrets } from './secrets.js';
import { explainPostgresStart } from './start-error.js';

const BUCKET = 'asset-library';
/** Role and database. */
const DATABASE = 'asset_library';

/** Starts a real Postgres server and an S3-compatible store on this machine. The service uses them like any other servers. */
export async function startEmbedded(config: Config) {
  const embedded = config.embedded!;
  const servers = await loadEmbeddedServers();
  const dataDir = resolve(embedded.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  configureLogger(
    config.logLevel,
    destination({ dest: join(dataDir, 'service.log'), mkdir: true, sync: false }),
  );

  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const undo of stops.reverse()) await undo();
  };
  try {
    const running = await startServices(servers, config, embedded, dataDir, stops);
    return {
      config: running,
      prepare: async (app: INestApplicationContext) => {
        const { bucket } = app.get(StorageService);
        await bucket.create();
        await bucket.setCors(ownOrigins(running));
        // Only this process can reach this store, so that no copy of the database can have claimed it.
        await app.get(Installation).claim({});
        await ensureDemo(app, embedded.demoPassword, dataDir);
      },
      announce: () => printWelcome(running, dataDir),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts what the service needs and returns the configuration for it. */
async function startServices(
  { startPostgres, startObjectStoreThread }: EmbeddedServers,
  config: Config,
  embedded: EmbeddedConfig,
  dataDir: string,
  stops: (() => Promise<void>)[],
): Promise<Config> {
  const postgres = await startPostgres({
    directory: join(dataDir, 'postgres'),
    name: DATABASE,
    port: embedded.dbPort,
  }).catch(explainPostgresStart);
  stops.push(() => postgres.stop());
  const secrets = await readSecrets(join(dataDir, 'secrets.json'));
  const store = await startObjectStoreThread({
    directory: join(dataDir, 'objects'),
    host: '127.0.0.1',
    port: embedded.storePort,
    accessKeyId: secrets.storeAccessKeyId,
    secretAccessKey: secrets.storeSecretAccessKey,
  });
  stops.push(() => store.close());
  return {
    ...config,
    database: { ...config.database, url: postgres.url },
    storage: {
      configured: true,
      accessKeyId: secrets.storeAccessKeyId,
      secretAccessKey: secrets.storeSecretAccessKey,
      bucket: BUCKET,
      endpoint: store.endpoint,
      publicEndpoint: store.endpoint,
      region: 'auto',
      forcePathStyle: true,
      timeoutSeconds: 10,
      readOnly: false,
      controlSeconds: CONTROL_SECONDS,
      holdSeconds: 0,
    },
    auth: { ...config.auth, jwtSecrets: [secrets.jwtSecret], secretsKeys: [secrets.secretsKey] },
  };
}

/** Only our own pages and `CORS_ORIGINS`. */
function ownOrigins({ http }: Config): string[] {
  const own = [
    `http://127.0.0.1:${http.port}`,
    `http://localhost:${http.port}`,
    new URL(http.publicUrl).origin,
  ];
  return [...new Set([...own, ...http.corsOrigins])];
}
