// The table at the end of a run: the slowest files, a row for each part, the flaky files, and what failed, last: of a long log
// often only the end is kept.
import type { Row } from './play-parts.ts';

const SLOWEST = 20;
/** A cluster that breaks fails hundreds of tests, and the first tell why. */
const MOST_FAILURES = 40;

export function rowLine({ name, passed, failed, skipped, flaky, seconds }: Row): string {
  const columns = [
    `${passed} passed`,
    `${failed} failed`,
    flaky.length > 0 ? `${flaky.length} flaky` : '',
    skipped > 0 ? `${skipped} skipped` : '',
  ];
  return `${name.padEnd(12)} ${columns.map((text) => text.padStart(12)).join('')} ${seconds.toFixed(1).padStart(9)} s`;
}

/** `outputs` is the folder that has both outputs of each flaky file. */
export function closingTable(rows: readonly Row[], outputs: string): string {
  const slowest = rows
    .flatMap(({ name: part, files }) => files.map(({ name, seconds }) => ({ part, name, seconds })))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ part, name, seconds }) => `${seconds.toFixed(1).padStart(9)} s  ${part.padEnd(12)} ${name}`);
  const flaky = rows.flatMap(({ files, flaky: names }) =>
    names.flatMap((name) => [
      `flaky: ${name}, a fault of the product until proved otherwise; see ${outputs}`,
      ...(files.find((file) => file.name === name)?.failures ?? []).map((test) => `  failed first: ${test}`),
    ]),
  );
  const sections = [
    slowest.length > 0 ? [`the ${slowest.length} slowest test files:`, ...slowest] : [],
    rows.map(rowLine),
    flaky,
    failures(rows),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function failures(rows: readonly Row[]): readonly string[] {
  const lines = rows.flatMap(({ name: part, failed, files, flaky }) => {
    const broken = files.filter(({ name, counts }) => counts.failed > 0 && !flaky.includes(name));
    const named = broken.flatMap(({ name, failures: tests = [] }) =>
      (tests.length > 0 ? tests : ['broke outside its tests']).map((test) => `failed: ${part} ${name}: ${test}`),
    );
    return named.length === 0 && failed > 0 ? [`failed: ${part}`] : named;
  });
  const more = lines.length - MOST_FAILURES;
  return more > 0 ? [...lines.slice(0, MOST_FAILURES), `and ${more} more`] : lines;
}

/** Passes whole lines on, each with its part's name before it: two parts may speak at once. */
export function prefixed(name: string, write: (text: string) => void): { heard(text: string): void; end(): void } {
  let rest = '';
  const say = (line: string) => write(`${name.padEnd(11)} | ${line}\n`);
  return {
    heard: (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) say(line);
    },
    end: () => {
      if (rest !== '') say(rest);
      rest = '';
    },
  };
}
