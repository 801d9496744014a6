import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { readConfig } from './src/config/config.js';
import { readEnvironment } from './src/config/environment.js';
import { dataSourceOptions } from './src/database/data-source-options.js';

/** For TypeORM's own command line, e.g. `npx typeorm migration:show -d dist/ormconfig.js`. */
export default new DataSource(dataSourceOptions(readConfig(readEnvironment()).database));
