import type { ClientBase, ClientConfig, PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { DatabaseConfig } from '../config/config.js';
import { BoundedClient } from './bounded-client.js';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';
import { SnakeCaseNamingStrategy } from './naming.strategy.js';

const CONNECT_TIMEOUT_MS = 5_000;
/** Postgres cancels a statement itself. If even that gets no response, the connection is closed. */
const RESPONSE_GRACE_MS = 2_000;

interface PoolPurpose {
  readonly name: string;
  readonly max: number;
  /** For each statement. */
  readonly timeoutSeconds?: number;
  /** Other settings of Postgres. */
  readonly settings?: Record<string, string | number>;
}

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

export function dataSourceOptions(config: DatabaseConfig): PostgresOptions {
  return {
    ...migrationOptions(config),
    poolSize: config.poolSize,
    extra: { ...boundedConnections(config), idleTimeoutMillis: 60_000 },
  };
}

/** For a pool next to that of the data source. */
export function poolOptions(
  config: DatabaseConfig,
  { name, max, timeoutSeconds, settings }: PoolPurpose,
): PoolConfig {
  return {
    ...boundedConnections(config, timeoutSeconds, settings),
    connectionString: config.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    application_name: `client-asset-library ${name}`,
    max,
  };
}

/** For `AccessChanges`. */
export function listeningClient(config: DatabaseConfig, timeoutMs: number): ClientConfig {
  return {
    connectionString: config.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: timeoutMs,
    keepAlive: true,
  };
}

/** For `requireDatabase`. */
export function startClient({ url }: Pick<DatabaseConfig, 'url'>): ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  };
}

/** Migrations have no timeout; other processes wait for them. */
export function migrationOptions(config: Pick<DatabaseConfig, 'url'>): PostgresOptions {
  return {
    type: 'postgres',
    url: config.url,
    entities,
    migrations,
    namingStrategy: new SnakeCaseNamingStrategy(),
    synchronize: false,
    applicationName: 'client-asset-library',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    poolSize: 2,
    extra: { keepAlive: true },
  };
}

/** Prevents an unresponsive database or network from blocking a caller forever. */
function boundedConnections(
  config: DatabaseConfig,
  timeoutSeconds = config.timeoutSeconds,
  others: PoolPurpose['settings'] = {},
): PoolConfig {
  const timeoutMs = timeoutSeconds * 1000;
  const settings = {
    statement_timeout: timeoutMs,
    lock_timeout: Math.min(10_000, config.timeoutSeconds * 1000),
    idle_in_transaction_session_timeout: 60_000,
    ...others,
  };
  const statements = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  const setting = { text: statements.join('; '), query_timeout: CONNECT_TIMEOUT_MS };
  return {
    query_timeout: timeoutMs + RESPONSE_GRACE_MS,
    keepAlive: true,
    Client: BoundedClient,
    // Not as startup parameters, which poolers reject or ignore. The pool waits for the promise.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises
    onConnect: (client: ClientBase) => client.query(setting),
  };
}
