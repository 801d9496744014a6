const Sequencer = require('@jest/test-sequencer').default;

/**
 * Files that take half a minute or more. Most of them wait for timeouts, so those with a browser, which need the processor, start between
 * them: more than two at a time would slow each other down until pages no longer respond in time.
 */
const LONGEST = [
  'browser/previews',
  'faults/deliveries',
  'faults/startup',
  'faults/shutdown',
  'browser/pages-library',
  'e2e/storage-doctor',
  'faults/slow-clients',
  'faults/crash',
  'e2e/bucket-ownership',
  'packages/embedded-postgres/test/postgres',
  'faults/preview-outage',
  'browser/pages-upload',
  'faults/replicas',
  'faults/renditions-abandoned',
  'faults/decoding-fairness',
  'faults/database-outage-in-finalize',
  'faults/store-outage',
  'browser/pages-admin',
  'e2e/npm-start',
  'e2e/preview.',
];

/** Starts the longest files first, even in a fresh clone: one that started last would run alone at the end. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const index = LONGEST.findIndex((name) => path.includes(`/${name}`));
      return index === -1 ? LONGEST.length : index;
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
