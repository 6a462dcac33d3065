// An evaluation as a form holds it, and the bodies that are made of it: of a new one, and of a change. Members have the body's names,
// so that an error appears at its field.
import type { InputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import { type EvaluationView, taskColumns } from '@gantry/contract/kinds/evaluation.ts';
import type { Metric } from '@gantry/contract/kinds/evaluation-schema.ts';
import { type RunSettings, runSettingsBody, runSettingsOf } from '../../parts/task/run-settings.ts';
import { wordsIn } from '../../parts/words-in.ts';
import { changeBetween } from '../../parts/workload/run-values.ts';
import { isPositive, numberOrNull } from '../../parts/workload/workload-values.ts';

type EvaluationBody = InputOf<NonNullable<typeof CALLS.createEvaluation.facts>>['body'];
type EvaluationChange = NonNullable<InputOf<NonNullable<typeof CALLS.updateEvaluation.facts>>['body']>;

type Maybe = number | undefined;

export interface SubjectValues {
  /** A version is deployed for each run. */
  source: 'deployment' | 'version';
  deployment: string;
  /** Of the deployment. Empty: the model itself. */
  adapter: string;
  model: string;
  version: string;
}

export interface TaskValues {
  /** Empty: its dataset's. */
  name: string;
  dataset: string;
  /** Empty: the newest one. */
  version: string;
  metric: Metric;
  columns: { prompt: string; answer: string; system: string };
}

export interface EvaluationValues extends RunSettings {
  displayName: string;
  subjects: SubjectValues[];
  tasks: TaskValues[];
  judge: { deployment: string; rubric: string };
  /** The number of a subject; empty: none. */
  baseline: string;
  /** Undefined: all rows. */
  limit: Maybe;
  seed: Maybe;
  answerTokens: Maybe;
  maxRejectedPercent: Maybe;
  /** Undefined: no limit. */
  maxTokens: Maybe;
  measures: boolean;
  /** Concurrency is as it is typed: numbers separated by commas. */
  performance: { concurrency: string; promptTokens: Maybe; answerTokens: Maybe; seconds: Maybe };
  cores: Maybe;
  memoryGi: Maybe;
  /** Empty: the shared pool. */
  host: string;
}

export const EMPTY_SUBJECT: SubjectValues = {
  ...{ source: 'deployment', deployment: '', adapter: '' },
  ...{ model: '', version: '' },
};
export const EMPTY_TASK: TaskValues = {
  ...{ name: '', dataset: '', version: '', metric: 'ExactMatch' },
  columns: { prompt: 'question', answer: 'answer', system: '' },
};

export const EMPTY_EVALUATION: EvaluationValues = {
  displayName: '',
  subjects: [EMPTY_SUBJECT],
  tasks: [EMPTY_TASK],
  judge: { deployment: '', rubric: '' },
  baseline: '',
  limit: undefined,
  seed: 0,
  answerTokens: 256,
  maxRejectedPercent: 10,
  maxTokens: undefined,
  measures: false,
  performance: { concurrency: '1, 4', promptTokens: 128, answerTokens: 64, seconds: 20 },
  cores: 1,
  memoryGi: 2,
  host: '',
  priority: 'Normal',
  retries: 3,
  maxRunMinutes: undefined,
};

const isJudged = (metric: Metric): boolean => metric === 'Judge' || metric === 'Pairwise';

/** Whether a column with expected answers is needed. */
export const needsAnswer = (metric: Metric): boolean => !isJudged(metric);

export const needsJudge = (tasks: readonly Pick<TaskValues, 'metric'>[]): boolean =>
  tasks.some(({ metric }) => isJudged(metric));

/** A link may name subjects, as `deployment`, `deployment:adapter` or `model@version`, the baseline among them, and a dataset. */
export function firstEvaluation(query: URLSearchParams): EvaluationValues {
  const subjects = query.getAll('subject').map((one) => {
    const [model = '', version] = one.split('@');
    if (version !== undefined) return { ...EMPTY_SUBJECT, source: 'version' as const, model, version };
    const [deployment = '', adapter = ''] = one.split(':');
    return { ...EMPTY_SUBJECT, deployment, adapter };
  });
  const baseline = query.get('baseline') ?? '';
  return {
    ...EMPTY_EVALUATION,
    subjects: subjects.length === 0 ? [EMPTY_SUBJECT] : subjects,
    baseline: subjects.some((_, at) => `${at}` === baseline) ? baseline : '',
    tasks: [{ ...EMPTY_TASK, dataset: query.get('dataset') ?? '', version: query.get('datasetVersion') ?? '' }],
  };
}

/** The baseline once a subject is gone: it is a place in their list. */
export function baselineWithout(baseline: string, gone: number): string {
  const at = Number(baseline);
  if (baseline === '' || at === gone) return '';
  return `${at > gone ? at - 1 : at}`;
}

const given = (members: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(members)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  );

const present = (members: Readonly<Record<string, Maybe>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

export function evaluationBody(values: EvaluationValues): EvaluationBody {
  const { displayName, subjects, tasks, judge, baseline, measures, performance, host } = values;
  return {
    displayName: displayName.trim(),
    subjects: subjects.map(({ source, deployment, adapter, model, version }) =>
      source === 'version' ? { model, version } : { deployment, ...given({ adapter }) },
    ),
    tasks: tasks.map(({ name, dataset, version, metric, columns }) => ({
      ...{ ...given({ name }), dataset, ...(version !== '' && { version: Number(version) }), metric },
      columns: given(columns),
    })),
    ...(needsJudge(tasks) && { judge: { deployment: judge.deployment, ...given({ rubric: judge.rubric }) } }),
    ...(baseline !== '' && { baseline: Number(baseline) }),
    ...present({ limit: values.limit, maxTokens: values.maxTokens }),
    ...{ seed: numberOrNull(values.seed), answerTokens: numberOrNull(values.answerTokens) },
    maxRejectedPercent: numberOrNull(values.maxRejectedPercent),
    ...(measures && {
      performance: {
        concurrency: wordsIn(performance.concurrency).map(Number),
        promptTokens: numberOrNull(performance.promptTokens),
        answerTokens: numberOrNull(performance.answerTokens),
        seconds: numberOrNull(performance.seconds),
      },
    }),
    ...{ cores: numberOrNull(values.cores), memoryGi: numberOrNull(values.memoryGi), ...(host !== '' && { host }) },
    ...runSettingsBody(values),
  } as EvaluationBody;
}

/** Only what differs; null takes an optional field away. */
export const evaluationChange = (before: EvaluationValues, after: EvaluationValues): EvaluationChange =>
  changeBetween(evaluationBody(before), evaluationBody(after)) as EvaluationChange;

export function evaluationValuesOf(
  { id, name, spec }: Pick<EvaluationView, 'id' | 'name' | 'spec'>,
  isCopy = false,
): EvaluationValues {
  const empty = EMPTY_EVALUATION;
  const { subjects, tasks, judge, baseline, performance } = spec;
  return {
    ...empty,
    displayName: isCopy ? '' : (spec.displayName ?? name ?? id),
    subjects: subjects.map((one) => ({
      ...EMPTY_SUBJECT,
      ...defined(one),
      source: one.deployment === undefined ? 'version' : 'deployment',
    })),
    tasks: tasks.map((task) => ({
      ...{ name: task.name ?? '', dataset: task.dataset, version: `${task.version ?? ''}`, metric: task.metric },
      columns: { ...{ prompt: '', answer: '', system: '' }, ...defined(taskColumns(task)) },
    })),
    judge: { deployment: judge?.deployment ?? '', rubric: judge?.rubric ?? '' },
    baseline: `${baseline ?? ''}`,
    ...{ limit: spec.limit, maxTokens: spec.maxTokens },
    ...{ seed: spec.seed ?? empty.seed, answerTokens: spec.answerTokens ?? empty.answerTokens },
    maxRejectedPercent: spec.maxRejectedPercent ?? empty.maxRejectedPercent,
    measures: performance !== undefined,
    performance: {
      ...empty.performance,
      ...defined({ ...performance, concurrency: performance?.concurrency?.join(', ') }),
    },
    ...{ cores: spec.cores ?? empty.cores, memoryGi: spec.memoryGi ?? empty.memoryGi, host: spec.host ?? '' },
    ...runSettingsOf(spec, empty),
  };
}

const defined = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };

/** What an hour costs; undefined while a number is missing. */
export function evaluationSize({ cores, memoryGi, host }: Pick<EvaluationValues, 'cores' | 'memoryGi' | 'host'>) {
  if (!isPositive(cores) || !isPositive(memoryGi)) return undefined;
  return { cores, memoryGi, ...(host !== '' && { host }) };
}
