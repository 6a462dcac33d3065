// An evaluation: it asks deployments the rows of datasets, and scores what they answer. A run is a batch/v1 Job with one worker, which
// reaches nothing: the gateway brings its rows, asks models for it, and stores scores and examples (`data-task.ts`). What was answered is
// kept: a run after another asks only what has changed.
import * as z from 'zod';
import { defineKind, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { changeBody, creationBody, freePeopleName } from '../http/kind-bodies.ts';
import {
  EVALUATION_FIELDS,
  type Evaluation,
  type EvaluationSpec,
  type Metric,
  spec,
  status,
} from './evaluation-schema.ts';
import { evaluationView, showEvaluation } from './evaluation-view.ts';
import { evaluationWords as words } from './evaluation-words.ts';
import {
  CREATOR_KEPT,
  editFrom,
  openFrom,
  releaseFrom,
  runAgainFrom,
  startFrom,
  stopFrom,
  suspendFrom,
} from './kind-rows.ts';
import { taskCost, taskPhaseInView } from './task-rows.ts';
import { taskRuns, taskUsage } from './task-view.ts';

export type { Evaluation, EvaluationSpec, EvaluationStatus } from './evaluation-schema.ts';
export type { EvaluationView } from './evaluation-view.ts';

const phases = {
  releasing: { tone: 'progress' },
  released: { tone: 'neutral' },
  lost_contact: { tone: 'bad' },
  stopping: { tone: 'progress' },
  stopped: { tone: 'neutral' },
  suspending: { tone: 'progress' },
  suspended: { tone: 'neutral' },
  failed: { tone: 'bad' },
  success: { tone: 'good' },
  evaluating: { tone: 'good' },
  starting: { tone: 'progress' },
  queued: { tone: 'progress' },
  preparing: { tone: 'progress' },
} as const;

/** Phases in which a run is wanted and has not ended. */
const UNDER_WAY = ['lost_contact', 'evaluating', 'starting', 'queued', 'preparing'] as const;
const AT_REST = ['stopped', 'suspended', 'failed', 'success'] as const;

const TASK = { ends: ['failed', 'success'], runs: ['evaluating'] } as const;

const metricIn = (...metrics: readonly Metric[]) =>
  `self.spec.tasks.exists(one, one.metric in ['${metrics.join("', '")}'])`;

export const evaluation = defineKind({
  kind: 'Evaluation',
  plural: 'evaluations',
  shortNames: ['evl'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'evl',
  collection: 'model/v1/model/evaluation',
  staff: { resource: 'evaluations', menu: 'computing', columns: ['queue_position', 'nodes'] },
  words,
  spec,
  status,
  rules: [
    CREATOR_KEPT,
    { rule: 'size(self.metadata.name) <= 50', words: words.rules.nameLength },
    { rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", words: words.rules.name },
    {
      rule: `has(self.spec.judge) || !${metricIn('Judge', 'Pairwise')}`,
      words: words.rules.judge,
      fieldPath: '.spec.judge',
    },
    {
      rule: '!has(self.spec.baseline) || self.spec.baseline < size(self.spec.subjects)',
      words: words.rules.baseline,
      fieldPath: '.spec.baseline',
    },
    {
      rule: `has(self.spec.baseline) || !${metricIn('Pairwise')}`,
      words: words.rules.pairwise,
      fieldPath: '.spec.baseline',
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Subject', jsonPath: '.spec.subjects[0].deployment' },
    { name: 'Model', jsonPath: '.spec.subjects[0].model', priority: 1 },
    { name: 'Metric', jsonPath: '.spec.tasks[0].metric' },
    { name: 'Score', jsonPath: '.status.scores[0].value' },
    { name: 'Step', jsonPath: '.status.progress.step' },
    { name: 'Done', jsonPath: '.status.progress.done', type: 'integer' },
    { name: 'Of', jsonPath: '.status.progress.of', type: 'integer' },
    { name: 'Cost', jsonPath: '.status.credit.cost' },
    { name: 'Tokens', jsonPath: '.status.progress.tokens', type: 'integer', priority: 1 },
    { name: 'Run', jsonPath: '.status.run.seq', type: 'integer', priority: 1 },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    resume: startFrom(['suspended']),
    runAgain: runAgainFrom(['stopped', 'failed', 'success']),
    suspend: suspendFrom(UNDER_WAY),
    stop: stopFrom([...UNDER_WAY, 'suspending', 'suspended']),
    edit: editFrom([...AT_REST, 'queued', 'preparing']),
    clone: openFrom([...UNDER_WAY, ...AT_REST, 'stopping', 'suspending']),
    release: releaseFrom([...UNDER_WAY, ...AT_REST, 'stopping', 'suspending']),
  },
  cost: taskCost(TASK),
  phaseInView: taskPhaseInView(TASK),
  touches: [
    ...['getEvaluationScores', 'listEvaluationExamples', 'compareEvaluations'],
    ...['getWalletBalances', 'getMyOrganization'],
  ],
  api: {
    names: ['Evaluation', 'Evaluations'],
    view: evaluationView,
    show: showEvaluation,
    filters: {
      host: z.string().max(63).optional(),
    },
    runs: taskRuns,
    usage: taskUsage,
    writes: {
      create: creationBody(spec, ...EVALUATION_FIELDS).extend({ displayName: freePeopleName }),
      change: changeBody(spec, ...EVALUATION_FIELDS).extend({ displayName: freePeopleName.optional() }),
      problems: ['plain_text', 'no_such_reference'],
    },
  },
});

export type EvaluationPhase = PhaseOf<typeof words>;
export type EvaluationReason = ReasonOf<typeof words>;

type Task = EvaluationSpec['tasks'][number];
const DEFAULT_COLUMNS: NonNullable<Task['columns']> = { prompt: 'question', answer: 'answer' };

/** The columns that are read; `QaPairs` makes those that are not named. */
export const taskColumns = ({ columns }: Pick<Task, 'columns'>): NonNullable<Task['columns']> =>
  columns ?? DEFAULT_COLUMNS;

/** The name by which /v1 knows what a deployment serves, within its organisation. */
export const askedModel = ({ deployment, adapter }: { deployment: string; adapter?: string | null }): string =>
  adapter ? `${deployment}:${adapter}` : deployment;

/** Whether none of its runs is under way or wanted. */
export const isAtRest = ({ metadata, status }: Pick<Evaluation, 'metadata' | 'status'>): boolean =>
  metadata.deletionTimestamp !== undefined || AT_REST.some((phase) => phase === status?.phase);
