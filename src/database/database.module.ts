import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { AccessChanges } from './access-changes.js';
import { AccessPool } from './access-pool.js';
import { Database } from './database.js';
import { dataSourceOptions } from './data-source-options.js';
import { migrate } from './migrate.js';
import { Reads } from './reads.js';
import { requireDatabase } from './require-database.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [CONFIG],
      useFactory: async ({ database }: Config) => {
        await requireDatabase(database);
        // Nest would also retry what cannot succeed.
        return { ...dataSourceOptions(database), toRetry: () => false };
      },
    }),
  ],
  providers: [
    AccessChanges,
    AccessPool,
    {
      provide: Database,
      inject: [DataSource, CONFIG],
      useFactory: async (dataSource: DataSource, config: Config) => {
        if (config.database.migrate) await migrate(config.database);
        return new Database(dataSource);
      },
    },
    Reads,
  ],
  exports: [AccessChanges, AccessPool, Database, Reads, TypeOrmModule],
})
export class DatabaseModule {}
