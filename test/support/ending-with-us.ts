// A server that a test starts ends with the test run, however that ends: a signal, or a crash, runs no handler of ours, and a
// worker of Jest hears nothing of its own exit either.

/** What to spawn so that the kernel kills it as soon as this process is gone. Its process id is the program's own. */
export const endingWithUs = (file: string, args: readonly string[]): [file: string, args: string[]] => [
  'setpriv',
  ['--pdeathsig=KILL', file, ...args],
];
