import type { ClientBase, ClientConfig, PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { DatabaseConfig } from '../config/config.js';
import { BoundedClient } from './bounded-client.js';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';
import { SnakeCaseNamingStrategy } from './naming.strategy.js';

const CONNECT_TIMEOUT_MS = 5_000;
const ACCESS_POOL_SIZE = 3;
/** Postgres cancels a statement itself. If even that gets no response, the connection is closed. */
const UNHEARD_MS = 2_000;

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

export function dataSourceOptions(config: DatabaseConfig): PostgresOptions {
  return {
    ...migrationOptions(config),
    poolSize: config.poolSize,
    extra: { ...boundedConnections(config), idleTimeoutMillis: 60_000 },
  };
}

/**
 * For `Reads`. Tables contain the rows of all clients, so a sequential scan is never the best plan. JIT compilation costs more than it
 * gains for a few thousand rows. A search uses one core and leaves the others to everyone else.
 */
export function readPool(config: DatabaseConfig): PoolConfig {
  const timeoutMs = Math.min(config.readTimeoutSeconds, config.timeoutSeconds) * 1000;
  return {
    ...boundedConnections(config, timeoutMs, {
      jit: 'off',
      enable_seqscan: 'off',
      max_parallel_workers_per_gather: 0,
    }),
    connectionString: config.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    application_name: 'client-asset-library reads',
    max: config.readPoolSize,
  };
}

/** For `AccessPool`. */
export function accessPool(config: DatabaseConfig): PoolConfig {
  return {
    ...boundedConnections(config),
    connectionString: config.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    application_name: 'client-asset-library access',
    max: ACCESS_POOL_SIZE,
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
  timeoutMs = config.timeoutSeconds * 1000,
  others: Record<string, string | number> = {},
): PoolConfig {
  const settings = {
    statement_timeout: timeoutMs,
    lock_timeout: Math.min(10_000, config.timeoutSeconds * 1000),
    idle_in_transaction_session_timeout: 60_000,
    ...others,
  };
  const statements = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value}`);
  const setting = { text: statements.join('; '), query_timeout: CONNECT_TIMEOUT_MS };
  return {
    query_timeout: timeoutMs + UNHEARD_MS,
    keepAlive: true,
    Client: BoundedClient,
    // Not as startup parameters, which poolers reject or ignore. The pool waits for the promise.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises
    onConnect: (client: ClientBase) => client.query(setting),
  };
}

export function queuePool(config: DatabaseConfig, max: number): PoolConfig {
  return {
    ...boundedConnections(config),
    connectionString: config.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'client-asset-library queue',
    max,
  };
}
