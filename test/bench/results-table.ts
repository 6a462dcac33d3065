// The table of results/ in the README, one line per figure.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Measure } from './measure.ts';

interface Committed extends Measure {
  readonly date: string;
}

const RESULTS = new URL('results/', import.meta.url);
export const README = new URL('README.md', import.meta.url);
const HEADING = '## Results';

/** Markdown, from the committed results alone. */
function resultsTable(): string {
  const files = readdirSync(RESULTS).filter((name) => name.endsWith('.json'));
  const rows = files.sort().flatMap((name): Committed[] => JSON.parse(readFileSync(new URL(name, RESULTS), 'utf8')));
  return ['| Row | Work | Ours | Peer | Ratio | Spread | Target | Holds | Date |', `|${'---|'.repeat(9)}`]
    .concat(rows.map((row) => `| ${[row.row, row.work, ...figuresOf(row), row.date].join(' | ')} |`))
    .join('\n');
}

/** Everything below the heading is generated. */
export function withResults(readme: string): string {
  const at = readme.indexOf(HEADING);
  return `${at < 0 ? `${readme.trimEnd()}\n\n` : readme.slice(0, at)}${HEADING}\n${resultsTable()}\n`;
}

export const writeResults = (): void => writeFileSync(README, withResults(readFileSync(README, 'utf8')));

/** Ours with its unit, peer, ratio, spread, target and verdict, as people read them. */
export function figuresOf({ unit, ours, peer, ratio, spread, target, holds }: Measure): string[] {
  const number = (value: number | null) =>
    value === null ? '–' : value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
  const percent = spread === null ? '–' : `${(spread * 100).toFixed(0)} %`;
  const promise = target === null ? '–' : target.atMost !== undefined ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
  const verdict = holds === null ? '–' : holds === 'void' ? 'void' : holds ? 'yes' : 'NO';
  return [`${number(ours)} ${unit}`.trim(), number(peer), number(ratio), percent, promise, verdict];
}
