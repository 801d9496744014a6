import type { DataSourceOptions } from 'typeorm';
import type { DatabaseConfig } from '../config/config.js';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';
import { SnakeCaseNamingStrategy } from './naming.strategy.js';

export function dataSourceOptions(config: DatabaseConfig): DataSourceOptions {
  return {
    type: 'postgres',
    url: config.url,
    entities,
    migrations,
    namingStrategy: new SnakeCaseNamingStrategy(),
    synchronize: false,
    applicationName: 'client-asset-library',
    connectTimeoutMS: 5_000,
    poolSize: config.poolSize,
    extra: {
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 60_000,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
    },
  };
}
