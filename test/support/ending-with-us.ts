// A server that a test starts ends with the test run, however that ends: a signal or a crash runs none of our handlers, and a
// Jest worker is not notified of its own exit either.

/** A command that the kernel kills as soon as this process is gone. Its process id is the program's own. */
export const endingWithUs = (file: string, args: readonly string[]): [file: string, args: string[]] => [
  'setpriv',
  ['--pdeathsig=KILL', file, ...args],
];
