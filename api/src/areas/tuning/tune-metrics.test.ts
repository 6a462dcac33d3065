// What of a run's status becomes a series, and that what a trainer says beyond bounds becomes none.
import { TUNE_LOSS, TUNE_STEP_AGE, TUNE_TOKENS } from '@gantry/contract/alerts/tune-series.ts';
import { type FineTuneStatus, fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { kindObject } from '../../core/kinds/testing/memory-kinds.ts';
import { readAnswer } from '../../core/tasks/task-lines.ts';
import { Metrics } from '../../platform/http/metrics.ts';
import { serveTraining } from './tune-metrics.ts';

const NOW = Date.UTC(2026, 10, 30);
const ago = (seconds: number) => rfc3339(NOW - seconds * 1000);

async function seriesOf(...statuses: Partial<FineTuneStatus>[]) {
  const clock = new SteppedClock();
  clock.set(NOW);
  const metrics = new Metrics();
  const tunes = statuses.map((status, at) => kindObject(fineTune, `tune-${at}`, { status }));
  serveTraining({ metrics, clock }, { cache: { list: () => tunes as never } });
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('gantry_tune_'));
}

const labels = '{namespace="org-acme",kind="FineTune",object="tune-0"}';
const run = { seq: 2, cause: 'first' as const, startedAt: ago(600) };
const training = { run: 2, step: 30, of: 60, loss: 1.25, tokensPerSecond: 800, at: ago(45) };

const ROWS: Readonly<Record<string, { status: Partial<FineTuneStatus>; series: readonly string[] }>> = {
  'a run that trains has all three': {
    status: { phase: 'training', run, training },
    series: [`${TUNE_LOSS}${labels} 1.25`, `${TUNE_TOKENS}${labels} 800`, `${TUNE_STEP_AGE}${labels} 45`],
  },
  'a run without a step has the age of its training': {
    status: { phase: 'training', run },
    series: [`${TUNE_STEP_AGE}${labels} 600`],
  },
  'the steps of an earlier run do not count': {
    status: { phase: 'training', run, training: { ...training, run: 1 } },
    series: [`${TUNE_STEP_AGE}${labels} 600`],
  },
  'a loss that is not a number is no series': {
    status: { phase: 'training', run, training: { run: 2, step: 31, of: 60, at: ago(5) } },
    series: [`${TUNE_STEP_AGE}${labels} 5`],
  },
  'a gateway whose clock is behind has no negative age': {
    status: { phase: 'training', run, training: { run: 2, step: 31, of: 60, at: ago(-5) } },
    series: [`${TUNE_STEP_AGE}${labels} 0`],
  },
  'a run that has ended has none': { status: { phase: 'success', run, training }, series: [] },
  'a run that waits has none': { status: { phase: 'queued', run, training }, series: [] },
};
test.each(Object.entries(ROWS))('%s', async (_, { status, series }) => expect(await seriesOf(status)).toEqual(series));

test.each(['NaN', 'Infinity', '1e999', '-1e999', '"1"'])('a trainer that reports a loss of %s reports none', (loss) => {
  const text = `{"boot":"b","lines":[{"seq":1,"line":{"type":"point","step":1,"loss":${loss}}}]}`;
  const read = () => readAnswer(new TextEncoder().encode(text), 'journal').lines[0]?.line;
  let line: unknown;
  try {
    line = read();
  } catch {
    // NaN and Infinity are no JSON: the whole answer is refused.
  }
  expect(line).toBeUndefined();
});
