// Leaves out every test of a file that takes turns where the run's time for them is over, and says so. JavaScript, like the
// configuration that names it: the types of the base class are those of another module format.
import { relative } from 'node:path';
import { TestEnvironment } from 'jest-environment-node';
import { isTooLate } from './turns.ts';

/** No name matches it: hooks of a file without a test to run do not run either. */
const NOTHING = /$^/;

export default class TimelyEnvironment extends TestEnvironment {
  #path;

  constructor(config, context) {
    super(config, context);
    this.#path = relative(config.globalConfig.rootDir, context.testPath);
  }

  handleTestEvent({ name }, state) {
    if (name !== 'run_start' || !isTooLate(this.#path, process.env.GANTRY_TURNS_END, Date.now())) return;
    state.testNamePattern = NOTHING;
    process.stdout.write(`left out, the time for turns is over: ${this.#path}\n`);
  }
}
