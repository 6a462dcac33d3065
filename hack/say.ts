// One line to the person who watches: what, and how long it took. On standard error: `env` owns standard output.

const beginning = performance.now();
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

export function say(what: string, started?: number): void {
  const now = performance.now();
  const took = started === undefined ? '' : `  ${seconds(now - started)}`;
  process.stderr.write(`${seconds(now - beginning).padStart(8)}  ${what}${took}\n`);
}
