/** `npm run test:big`: many files, many bytes, every mutation of every path. Arguments go to jest. */
import { runJest } from './support/run-jest.mjs';
import { testEnvironment } from './support/test-environment.mjs';

const COUNTS = {
  BIG: '1',
  BIG_ZIP_FILES: '10000',
  BIG_ZIP_MB: '5000',
  FOLDER_OPS: '1000',
  ACCESS_MATRIX: 'full',
  MUTATIONS: '500',
  MALFORMED: '200',
  FILM_MB: '2100',
};
const SUITES = [
  'archive-size',
  'big-zip',
  'folder-model',
  'access-matrix',
  'packages/embedded-s3/test',
  'test/hostile/media',
  'test/hostile/renditions',
  'test/hostile/previews',
  'preview-seeking',
];

await runJest(['--maxWorkers=1', ...SUITES, ...process.argv.slice(2)], { ...COUNTS, ...testEnvironment() });
