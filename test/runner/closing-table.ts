// The table at the end of a run: a row for each part, the flaky files, and the slowest.
import { flakyOf, type Row } from './play-parts.ts';

const SLOWEST = 20;

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
  const flaky = flakyOf(rows).map(
    (name) => `flaky: ${name}, a fault of the product until proved otherwise; see ${outputs}`,
  );
  const sections = [
    slowest.length > 0 ? [`the ${slowest.length} slowest test files:`, ...slowest] : [],
    rows.map(rowLine),
    flaky,
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
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
