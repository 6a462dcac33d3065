// Scores as the API shows them: of one evaluation, and of several side by side. Pure.
import {
  type ComparedEvaluationsView,
  type EvaluationScoresView,
  STAMP_PARTS,
} from '@gantry/contract/areas/evaluation/evaluation.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { micros, moneyText } from '@gantry/contract/fields/money.ts';
import { wordOf } from '@gantry/contract/fields/stored.ts';
import type { Metric } from '@gantry/contract/kinds/evaluation-schema.ts';
import { METRIC_WORDS } from '@gantry/contract/kinds/evaluation-words.ts';
import type { Comparison, Load, Score } from '../../core/tasks/task-scores.ts';
import type { AskedTask, ServedSubject, Stamp } from '../../platform/db/schema/evaluations.ts';
import type { EvaluationRun } from './evaluation-store.ts';

export interface Scored {
  run: EvaluationRun;
  scores: readonly Score[];
  comparisons: readonly Comparison[];
  loads: readonly Load[];
}

interface Reader {
  language: Language;
  currency: string;
}

export const NOTHING: Omit<EvaluationScoresView, 'currency'> = {
  ...{ run: null, time: null, baseline: null },
  ...{ subjects: [], tasks: [], scores: [], comparisons: [], loads: [] },
};

/** What a worker says of subjects or tasks that its run does not have is passed over. */
export function scoresView(
  { run, scores, comparisons, loads }: Scored,
  { language, currency }: Reader,
): EvaluationScoresView {
  const { subjects, tasks, baseline } = run;
  const beside = subjects[baseline ?? 0];
  const isThere = ({ subject, task = 0 }: { subject: number; task?: number }) =>
    subjects[subject] !== undefined && tasks[task] !== undefined;
  return {
    ...{ run: run.run, time: run.scoredAt?.toISOString() ?? null, currency, baseline },
    subjects: subjects.map((one) => subjectView(one, beside)),
    tasks: tasks.map((one) => taskView(one, language)),
    scores: scores.filter(isThere).map((one) => ({ subject: one.subject, task: one.task, ...scoreView(one) })),
    comparisons: comparisons
      .filter(isThere)
      .map(({ subject, task, difference, low, high, n, better, worse, verdict }) => ({
        ...{ subject, task, difference, low, high, n, better, worse, verdict },
      })),
    loads: loads.filter(isThere).map((one) => ({
      ...{ subject: one.subject, concurrency: one.concurrency, requests: one.requests, failed: one.failed },
      ...{ tokens_per_second: one.tokensPerSecond, ttft_p50_ms: one.ttftP50Ms, ttft_p99_ms: one.ttftP99Ms },
      ...{ p50_ms: one.p50Ms, p99_ms: one.p99Ms },
    })),
  };
}

/** Columns are subjects; rows are what was measured in the same way, in the order in which it comes first. */
export function comparedView(
  all: readonly (Scored & { id: string; name: string })[],
  { language, currency }: Reader,
): ComparedEvaluationsView {
  const columns = all.flatMap((one) => one.run.subjects.map((subject, number) => ({ one, subject, number })));
  const beside = columns[0]?.subject;
  const measured = new Map<string, AskedTask>();
  for (const task of all.flatMap(({ run }) => run.tasks))
    if (!measured.has(task.measures)) measured.set(task.measures, task);
  return {
    currency,
    columns: columns.map(({ one, subject, number }) => ({
      ...{ evaluation: one.id, evaluation_name: one.name, subject: number },
      time: one.run.scoredAt?.toISOString() ?? one.run.createdAt.toISOString(),
      ...subjectView(subject, beside),
    })),
    rows: [...measured.values()].map((task) => ({
      ...taskView(task, language),
      cells: columns.map(({ one, number }) => {
        const at = one.run.tasks.findIndex(({ measures }) => measures === task.measures);
        const score = one.scores.find((some) => some.subject === number && some.task === at);
        return score ? scoreView(score) : null;
      }),
    })),
  };
}

const subjectView = (
  { deployment, adapter, model, version, name, stamp, isChanged }: ServedSubject,
  beside: ServedSubject | undefined,
) => ({
  ...{ deployment, adapter, model, version, name },
  stamp: stampView(stamp),
  is_changed: isChanged ?? false,
  differs: beside ? differing(stampView(stamp), stampView(beside.stamp)) : [],
});

const stampView = ({ engine, image, template, dtype, gpu, seed }: Stamp) => ({
  ...{ engine, image, template_hash: template, dtype, seed },
  gpu: gpu && { model: gpu.model, count: gpu.count },
});
type StampView = ReturnType<typeof stampView>;

const differing = (one: StampView, other: StampView) =>
  STAMP_PARTS.filter((part) => JSON.stringify(one[part]) !== JSON.stringify(other[part]));

const taskView = ({ name, dataset, version, metric }: AskedTask, language: Language) => ({
  ...{ name, dataset, version, metric: metric as Metric, metric_label: wordOf(METRIC_WORDS, metric, language) },
});

const scoreView = (one: Score) => ({
  ...{ value: one.value, low: one.low, high: one.high, n: one.n },
  ...{ prompt_tokens: one.promptTokens, completion_tokens: one.completionTokens },
  cost: one.costMicros === null ? null : moneyText(micros(BigInt(one.costMicros))),
  ...{ p50_ms: one.p50Ms, p99_ms: one.p99Ms },
});
