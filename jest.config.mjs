// Jest runs in CommonJS mode; ESM-only packages are down-levelled, because ESM mode cannot load Nest on Node 22.
const esmOnly = [
  '@nestjs',
  '@borewit',
  '@tokenizer',
  'archiver',
  'compress-commons',
  'crc32-stream',
  'file-type',
  'is-stream',
  'mediabunny',
  'readdir-glob',
  'strtok3',
  'thumbhash',
  'token-types',
  'uint8array-extras',
  'uuid',
  'zip-stream',
];

/** Loaded when they are first used: helpers import them, but most test files never need them. */
const largePackages = [
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  'playwright-core',
  'sharp',
  'typeorm',
];

const swc = (parser) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser,
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
    module: { type: 'commonjs', lazy: largePackages },
  },
];

const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': swc({ syntax: 'typescript', decorators: true }),
    '^.+\\.m?js$': swc({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
};

export default {
  reporters: ['default', '<rootDir>/test/support/jest/closing-line.reporter.cjs'],
  testSequencer: '<rootDir>/test/support/jest/longest-first.sequencer.cjs',
  testTimeout: 120_000,
  // A worker that has grown collects garbage for longer than a new one takes to start and to compile everything again.
  workerIdleMemoryLimit: '600MB',
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,web/src,packages/*/src}/**/*.spec.ts'] },
    {
      ...shared,
      displayName: 'e2e',
      testEnvironment: '<rootDir>/test/support/jest/contract.environment.mjs',
      testMatch: ['<rootDir>/{test/{e2e,hostile,faults,browser},packages/*/test}/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
      globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
    },
  ],
};
