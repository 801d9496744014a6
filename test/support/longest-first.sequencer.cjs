const Sequencer = require('@jest/test-sequencer').default;

/** Files that take half a minute or more, mostly because they wait for timeouts. */
const LONGEST = [
  'faults/deliveries',
  'faults/startup',
  'faults/shutdown',
  'e2e/storage-doctor',
  'faults/slow-clients',
  'faults/crash',
  'e2e/bucket-ownership',
  'packages/embedded-postgres/test/postgres',
  'faults/preview-outage',
  'faults/replicas',
  'faults/renditions-abandoned',
  'faults/decoding-fairness',
  'faults/database-outage-in-finalize',
  'faults/store-outage',
  'browser/previews',
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
