// A data processing task: it reads a version of a dataset, and makes a version of another. A run is a batch/v1 Job with one worker, which
// reaches nothing: the gateway brings its input, asks models for it, and stores what it makes (`data-task.ts`).
import * as z from 'zod';
import { defineKind, type KubeObject, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { changeBody, creationBody, freePeopleName } from '../http/kind-bodies.ts';
import {
  type DataProcess,
  PROCESS_BLOCKS,
  PROCESS_FIELDS,
  PROCESS_TYPES,
  spec,
  status,
} from './data-process-schema.ts';
import { dataProcessView, showDataProcess } from './data-process-view.ts';
import { dataProcessWords as words } from './data-process-words.ts';
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

export type { DataProcess, DataProcessSpec, DataProcessStatus } from './data-process-schema.ts';
export type { DataProcessView } from './data-process-view.ts';

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
  processing: { tone: 'good' },
  starting: { tone: 'progress' },
  queued: { tone: 'progress' },
  preparing: { tone: 'progress' },
} as const;

/** Phases in which a run is wanted and has not ended. */
const UNDER_WAY = ['lost_contact', 'processing', 'starting', 'queued', 'preparing'] as const;
const AT_REST = ['stopped', 'suspended', 'failed', 'success'] as const;

const TASK = { ends: ['failed', 'success'], runs: ['processing'] } as const;

/** Of its newest run. What is done is kept, so a run more does these and what was left. */
const hasFailedUnits = (object: KubeObject): boolean => {
  const { run, progress } = (object as DataProcess).status ?? {};
  return (progress?.failed ?? 0) > 0 && (progress?.run === undefined || progress.run === run?.seq);
};

const isOf = (type: string) => `self.spec.type == '${type}'`;

export const dataProcess = defineKind({
  kind: 'DataProcess',
  plural: 'dataprocesses',
  shortNames: ['dpr'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'dpr',
  collection: 'data/v1/data/dataset/processing',
  staff: { resource: 'processing', menu: 'computing', columns: ['queue_position', 'nodes'] },
  words,
  spec,
  status,
  rules: [
    CREATOR_KEPT,
    { rule: 'size(self.metadata.name) <= 50', words: words.rules.nameLength },
    { rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", words: words.rules.name },
    {
      rule: PROCESS_TYPES.map((type) => `has(self.spec.${PROCESS_BLOCKS[type]}) == (${isOf(type)})`).join(' && '),
      words: words.rules.block,
      fieldPath: '.spec.type',
    },
    {
      rule: `has(self.spec.model) || !(${isOf('KnowledgeBase')} || ${isOf('KnowledgeGraph')} || (${isOf('QaPairs')} && has(self.spec.qa) && self.spec.qa.rules == 'Model'))`,
      words: words.rules.model,
      fieldPath: '.spec.model',
    },
  ],
  columns: [
    { name: 'Type', jsonPath: '.spec.type' },
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Done', jsonPath: '.status.progress.done', type: 'integer' },
    { name: 'Of', jsonPath: '.status.progress.of', type: 'integer' },
    { name: 'Input', jsonPath: '.spec.input.dataset' },
    { name: 'Output', jsonPath: '.status.output.dataset' },
    { name: 'Version', jsonPath: '.status.output.version', type: 'integer' },
    { name: 'Cost', jsonPath: '.status.credit.cost' },
    { name: 'Failed', jsonPath: '.status.progress.failed', type: 'integer', priority: 1 },
    { name: 'Tokens', jsonPath: '.status.progress.tokens', type: 'integer', priority: 1 },
    { name: 'Run', jsonPath: '.status.run.seq', type: 'integer', priority: 1 },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    resume: startFrom(['suspended']),
    runAgain: runAgainFrom(['stopped', 'failed', 'success']),
    tryAgain: { ...runAgainFrom(['stopped', 'failed', 'success']), applies: hasFailedUnits },
    suspend: suspendFrom(UNDER_WAY),
    stop: stopFrom([...UNDER_WAY, 'suspending', 'suspended']),
    edit: editFrom([...AT_REST, 'queued', 'preparing']),
    clone: openFrom([...UNDER_WAY, ...AT_REST, 'stopping', 'suspending']),
    release: releaseFrom([...UNDER_WAY, ...AT_REST, 'stopping', 'suspending']),
  },
  cost: taskCost(TASK),
  phaseInView: taskPhaseInView(TASK),
  touches: ['getWalletBalances', 'getMyOrganization'],
  api: {
    names: ['DataProcess', 'DataProcesses'],
    view: dataProcessView,
    show: showDataProcess,
    filters: {
      host: z.string().max(63).optional(),
      type: z.enum(PROCESS_TYPES).optional(),
    },
    runs: taskRuns,
    usage: taskUsage,
    writes: {
      create: creationBody(spec, ...PROCESS_FIELDS).extend({ displayName: freePeopleName }),
      change: changeBody(spec, ...PROCESS_FIELDS).extend({ displayName: freePeopleName.optional() }),
      problems: ['plain_text', 'no_such_reference', 'nothing_failed'],
    },
  },
});

export type DataProcessPhase = PhaseOf<typeof words>;
export type DataProcessReason = ReasonOf<typeof words>;
