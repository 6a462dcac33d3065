// Whether an evaluation has shown that what a deployment is to serve is not worse than the baseline. Pure.
import type { ModelDeploymentSpec } from '@gantry/contract/kinds/model-deployment-schema.ts';
import type { Refused } from './deployed.ts';

type Gate = NonNullable<ModelDeploymentSpec['gate']>;

/** Something that is served, by the digests of its files alone. */
export interface Weights {
  weights: string;
  adapterWeights: string | null;
}

/** Of the newest run of an evaluation that ended well. Subjects and tasks by their place. */
export interface GateScores {
  subjects: readonly (Weights & { model: string; version: string; isChanged?: boolean })[];
  tasks: readonly { metric: string }[];
  baseline: number | null;
  scores: readonly { subject: number; task: number; value: number }[];
  comparisons: readonly { subject: number; task: number; low: number; high: number }[];
}

const DIGITS = 4;

/** Why it may not be served: undefined where all of it was shown to be good enough. */
export function closedGate(
  gate: Gate,
  { model, version }: { model: string; version: string },
  served: readonly Weights[],
  found: GateScores | undefined,
): Refused | undefined {
  const baseline = found?.subjects[found.baseline ?? -1];
  const named = gate.notWorseThan ?? baseline;
  const args = {
    ...{ evaluation: gate.evaluation, metric: gate.metric, model, version },
    baseline: named ? `${named.model} ${named.version}` : '–',
  };
  const unknown: Refused = { reason: 'GateNotEvaluated', args };
  const isMeant = baseline && named?.model === baseline.model && named.version === baseline.version;
  if (!found || !isMeant || baseline.isChanged) return unknown;
  const tasks = found.tasks.flatMap(({ metric }, task) =>
    metric === gate.metric && (gate.task === undefined || gate.task === task) ? [task] : [],
  );
  const subjects = served
    .filter((some) => !isSame(some, baseline))
    .map((one) => found.subjects.flatMap((some, number) => (isSame(some, one) && !some.isChanged ? [number] : [])));
  if (tasks.length === 0 || subjects.some(({ length }) => length === 0)) return unknown;
  const asked = subjects.flat().flatMap((subject) => tasks.map((task) => ({ subject, task })));
  const shown = asked.map((one) => found.comparisons.find((some) => isOf(some, one)));
  if (shown.includes(undefined)) return unknown;
  const worse = shown.find((one) => one !== undefined && one.low < -gate.margin);
  if (!worse) return undefined;
  const scoreOf = (subject: number | null) =>
    text(found.scores.find((some) => subject !== null && isOf(some, { subject, task: worse.task }))?.value);
  return {
    reason: 'GateNotPassed',
    args: {
      ...args,
      ...{ value: scoreOf(worse.subject), other: scoreOf(found.baseline) },
      ...{ low: text(worse.low), high: text(worse.high), margin: text(gate.margin) },
    },
  };
}

interface Place {
  subject: number;
  task: number;
}
const isOf = (one: Place, other: Place): boolean => one.subject === other.subject && one.task === other.task;

const isSame = (one: Weights, other: Weights): boolean =>
  one.weights === other.weights && one.adapterWeights === other.adapterWeights;

const text = (value: number | undefined): string =>
  value === undefined ? '–' : `${Number(value.toFixed(DIGITS))}`.replace('-', '−');
