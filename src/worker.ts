import 'reflect-metadata';
import { readConfig } from './config/config.js';
import { readEnvironment } from './config/environment.js';
import { runProcess } from './process/run-process.js';
import { work } from './process/work.js';

/** The background process. */
await runProcess(() => work(readConfig(readEnvironment())));
