// A fine-tuning task: it trains a version of a model on versions of datasets, and makes a version of a model. A run is a batch/v1 Job with
// one or several workers, which reach nothing but each other: the gateway brings their files, and stores checkpoints and the result
// (`data-task.ts`). A run after another goes on from the newest checkpoint that is kept.
import * as z from 'zod';
import { defineKind, type KubeObject, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { changeBody, creationBody, freePeopleName } from '../http/kind-bodies.ts';
import {
  type FineTune,
  type FineTuneSpec,
  METHODS,
  OBJECTIVES,
  type OUTPUT_FORMS,
  spec,
  status,
  TUNE_FIELDS,
} from './fine-tune-schema.ts';
import { fineTuneView, showFineTune } from './fine-tune-view.ts';
import { fineTuneWords as words } from './fine-tune-words.ts';
import {
  CREATOR_KEPT,
  editFrom,
  openFrom,
  releaseFrom,
  runAgainFrom,
  runsAgain,
  startFrom,
  stopFrom,
  suspendFrom,
} from './kind-rows.ts';
import { taskCost, taskPhaseInView } from './task-rows.ts';
import { taskRuns, taskUsage } from './task-view.ts';

export type { FineTune, FineTuneSpec, FineTuneStatus } from './fine-tune-schema.ts';
export type { FineTuneView } from './fine-tune-view.ts';

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
  training: { tone: 'good' },
  starting: { tone: 'progress' },
  queued: { tone: 'progress' },
  preparing: { tone: 'progress' },
} as const;

/** Phases in which a run is wanted and has not ended. */
const UNDER_WAY = ['lost_contact', 'training', 'starting', 'queued', 'preparing'] as const;
const AT_REST = ['stopped', 'suspended', 'failed', 'success'] as const;

const TASK = { ends: ['failed', 'success'], runs: ['training'] } as const;
const cost = taskCost(TASK);

const hasCheckpoint = (object: KubeObject): boolean => (object as FineTune).status?.checkpoint !== undefined;
const saves = (object: KubeObject) => ({
  spec: { saveCount: ((object as FineTune).spec.saveCount ?? 0) + 1 },
});

/** A run from the base, whatever was kept of those before it. */
const restartsAfresh = (object: KubeObject) => ({
  spec: { ...runsAgain(object).spec, freshCount: ((object as FineTune).spec.freshCount ?? 0) + 1 },
});

type Column = keyof NonNullable<FineTuneSpec['columns']>;
const COLUMNS = ['prompt', 'answer', 'system', 'messages', 'chosen', 'rejected'] as const satisfies readonly Column[];

/** The sets of columns that an objective reads: those that are needed, and those that may be there besides. */
const COLUMN_SETS: readonly { of: FineTuneSpec['objective']; needed: readonly Column[]; also: readonly Column[] }[] = [
  { of: 'DPO', needed: ['prompt', 'chosen', 'rejected'], also: [] },
  { of: 'SFT', needed: ['messages'], also: [] },
  { of: 'SFT', needed: ['prompt', 'answer'], also: ['system'] },
];

/** Whether these columns are a set that the objective reads; the API server asks the same by `columnsRule`. */
export const areColumnsOf = (objective: FineTuneSpec['objective'], columns: FineTuneSpec['columns']): boolean =>
  columns === undefined ||
  COLUMN_SETS.some(
    ({ of, needed, also }) =>
      of === objective &&
      needed.every((name) => columns[name] !== undefined) &&
      COLUMNS.every((name) => columns[name] === undefined || needed.includes(name) || also.includes(name)),
  );

const isDpo = "self.spec.objective == 'DPO'";
const has = (name: Column): string => `has(self.spec.columns.${name})`;
const columnsRule = [
  '!has(self.spec.columns)',
  ...COLUMN_SETS.map(({ of, needed, also }) => {
    const lacking = COLUMNS.filter((name) => !needed.includes(name) && !also.includes(name));
    const demands = [
      of === 'DPO' ? isDpo : `!(${isDpo})`,
      ...needed.map(has),
      ...lacking.map((name) => `!${has(name)}`),
    ];
    return `(${demands.join(' && ')})`;
  }),
].join(' || ');

export const fineTune = defineKind({
  kind: 'FineTune',
  plural: 'finetunes',
  shortNames: ['ftn'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'ftn',
  collection: 'model/v1/model/fine-tune',
  staff: { resource: 'fine-tunes', menu: 'computing', columns: ['queue_position', 'nodes'] },
  words,
  spec,
  status,
  rules: [
    CREATOR_KEPT,
    { rule: 'size(self.metadata.name) <= 50', words: words.rules.nameLength },
    { rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", words: words.rules.name },
    { rule: columnsRule, words: words.rules.columns, fieldPath: '.spec.columns' },
    {
      rule: "self.spec.method != 'QLoRA' || has(self.spec.gpu)",
      words: words.rules.quantized,
      fieldPath: '.spec.method',
    },
    {
      rule: "self.spec.method != 'Full' || !has(self.spec.output.form) || self.spec.output.form == 'Merged'",
      words: words.rules.form,
      fieldPath: '.spec.output',
    },
    {
      rule: "!self.spec.output.gguf || self.spec.method == 'Full' || (has(self.spec.output.form) && self.spec.output.form == 'Merged')",
      words: words.rules.gguf,
      fieldPath: '.spec.output',
    },
    {
      rule: '!has(self.spec.earlyStop) || has(self.spec.evalDataset)',
      words: words.rules.earlyStop,
      fieldPath: '.spec.earlyStop',
    },
  ],
  columns: [
    { name: 'Base', jsonPath: '.spec.base.model' },
    { name: 'Method', jsonPath: '.spec.method' },
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Step', jsonPath: '.status.training.step', type: 'integer' },
    { name: 'Of', jsonPath: '.status.training.of', type: 'integer' },
    { name: 'Loss', jsonPath: '.status.training.loss' },
    { name: 'Left', jsonPath: '.status.training.secondsLeft' },
    { name: 'Output', jsonPath: '.status.output.model' },
    { name: 'Version', jsonPath: '.status.output.version' },
    { name: 'Cost', jsonPath: '.status.credit.cost' },
    { name: 'Run', jsonPath: '.status.run.seq', type: 'integer', priority: 1 },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    resume: startFrom(['suspended']),
    restart: runAgainFrom(['stopped', 'failed', 'success']),
    restartAfresh: {
      ...runAgainFrom(['stopped', 'failed', 'success']),
      ...{ does: restartsAfresh, applies: hasCheckpoint },
    },
    suspend: suspendFrom(UNDER_WAY),
    stop: stopFrom([...UNDER_WAY, 'suspending', 'suspended']),
    // What is stored is paid for.
    save: {
      ...{ from: [...UNDER_WAY, ...AT_REST, 'stopping', 'suspending'], does: saves, applies: hasCheckpoint },
      ...{ right: 'use', danger: 'none', spends: true },
    },
    edit: editFrom([...AT_REST, 'queued', 'preparing']),
    clone: openFrom([...UNDER_WAY, ...AT_REST, 'stopping', 'suspending']),
    release: releaseFrom([...UNDER_WAY, ...AT_REST, 'stopping', 'suspending']),
  },
  cost: {
    ...cost,
    begins: {
      ...cost.begins,
      change: [...cost.begins.change, 'object.spec.workers > oldObject.spec.workers'],
    },
  },
  phaseInView: taskPhaseInView(TASK),
  touches: [
    ...['getFineTuneCurve', 'listFineTuneCheckpoints', 'listModelSpace', 'getModel'],
    ...['listGpuSpecs', 'getWalletBalances', 'getMyOrganization'],
  ],
  api: {
    names: ['FineTune', 'FineTunes'],
    view: fineTuneView,
    show: showFineTune,
    filters: {
      host: z.string().max(63).optional(),
      objective: z.enum(OBJECTIVES).optional(),
      method: z.enum(METHODS).optional(),
    },
    runs: taskRuns,
    usage: taskUsage,
    writes: {
      create: creationBody(spec, ...TUNE_FIELDS).extend({ displayName: freePeopleName }),
      change: changeBody(spec, ...TUNE_FIELDS).extend({ displayName: freePeopleName.optional() }),
      problems: ['plain_text', 'no_such_reference', 'not_enough_gpus', 'wrong_gpu', 'gpu_unknown', 'gpu_too_many'],
    },
  },
});

export type FineTunePhase = PhaseOf<typeof words>;
export type FineTuneReason = ReasonOf<typeof words>;

type Columns = NonNullable<FineTuneSpec['columns']>;
const DEFAULT_COLUMNS = {
  SFT: { prompt: 'question', answer: 'answer' },
  DPO: { prompt: 'prompt', chosen: 'chosen', rejected: 'rejected' },
} as const satisfies Record<FineTuneSpec['objective'], Columns>;

/** The columns that are read; `QaPairs` makes those of SFT. */
export const columnsOf = ({ columns, objective }: Pick<FineTuneSpec, 'columns' | 'objective'>): Columns =>
  columns ?? DEFAULT_COLUMNS[objective];

/** The form of what is made. */
export const formOf = ({ method, output }: Pick<FineTuneSpec, 'method' | 'output'>): (typeof OUTPUT_FORMS)[number] =>
  output.form ?? (method === 'Full' ? 'Merged' : 'Adapter');
