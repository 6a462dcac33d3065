// Jest's order, but for the files that take minutes: what begins last must not be what takes longest, or one cluster waits for the
// other. JavaScript, like the configuration that names it: the types of the base class are those of another module format.
import Sequencer from '@jest/test-sequencer';

const LONGEST = ['stories/install', 'stories/never-lose-work', 'stories/over-http', 'web/admin', 'web/pages'].map(
  (name) => `/test/${name}.test.ts`,
);

const rankOf = ({ path }) => {
  const at = LONGEST.findIndex((name) => path.endsWith(name));
  return at === -1 ? LONGEST.length : at;
};

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rankOf(a) - rankOf(b));
  }
}
