/** `npm start`: installs and builds what is missing, then runs the service in the same process. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './support/end-with-npm.mjs';
import { prepare } from './support/prepare.mjs';
import { endWith, root } from './support/steps.mjs';

await prepare().catch(endWith);

const main = join(root, 'dist', 'src', 'main.js');
process.setSourceMapsEnabled(true);
process.argv[1] = main;
await import(pathToFileURL(main).href);
