// A job: a program that runs to its end on one or several workers, at once or by a schedule. A run is a batch/v1 Job, queued by
// Kueue where that is installed; a schedule makes Jobs of its own kind.
import * as z from 'zod';
import { endsWhatRuns } from '../billing/credit.ts';
import { sizeUse, type Use } from '../billing/resources.ts';
import { defineKind, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { MI, mebibytesOf } from '../fields/quantity.ts';
import { listOf } from '../fields/stored.ts';
import { changeBody, creationBody, freePeopleName, imageReference, secretValues } from '../http/kind-bodies.ts';
import { RULE_WORDS } from '../rule-words.ts';
import { type Job, type JobSpec, PRIORITIES, spec, status } from './job-schema.ts';
import { jobFigures, jobRuns, jobView, showJob } from './job-view.ts';
import { jobWords as words } from './job-words.ts';

export type { Job, JobRun, JobSpec, JobStatus, JobWorker } from './job-schema.ts';
export type { JobView } from './job-view.ts';

/** Fields that a person sets, at creation and later. */
const FIELDS = [
  'command',
  'expandCommand',
  'workers',
  'gpu',
  'cores',
  'memoryGi',
  'host',
  'priority',
  'env',
  'secretEnv',
  'ports',
  'mounts',
  'maxRunMinutes',
  'retries',
  'schedule',
  'idle',
] as const;

const phases = {
  releasing: { tone: 'progress' },
  released: { tone: 'neutral' },
  lost_contact: { tone: 'bad' },
  stopping: { tone: 'progress' },
  stopped: { tone: 'neutral' },
  suspending: { tone: 'progress' },
  suspended: { tone: 'neutral' },
  scheduled: { tone: 'good' },
  failed: { tone: 'bad' },
  succeeded: { tone: 'good' },
  running: { tone: 'good' },
  starting: { tone: 'progress' },
  queued: { tone: 'progress' },
  preparing: { tone: 'progress' },
} as const;

/** Phases in which a run is wanted and has not ended. */
const UNDER_WAY = ['lost_contact', 'running', 'starting', 'queued', 'preparing'] as const;
const AT_REST = ['stopped', 'suspended', 'failed', 'succeeded'] as const;

export const job = defineKind({
  kind: 'Job',
  // `job` and `jobs` belong to batch/v1.
  singular: 'gpujob',
  plural: 'gpujobs',
  shortNames: ['gjob'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'job',
  collection: 'deploy/v1/job',
  menu: 'deploy/job',
  staff: { resource: 'jobs', menu: 'computing', columns: ['queue_position', 'nodes'] },
  words,
  spec,
  status,
  rules: [
    { rule: '!has(oldSelf.spec.creator) || has(self.spec.creator)', words: RULE_WORDS.creatorKept },
    { rule: 'size(self.metadata.name) <= 50', words: words.rules.nameLength },
    {
      rule: '!has(self.spec.schedule) || size(self.metadata.name) <= 38',
      words: words.rules.scheduleNameLength,
    },
    { rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", words: words.rules.name },
    {
      rule: 'has(self.spec.schedule) == has(oldSelf.spec.schedule)',
      words: words.rules.scheduleStays,
      fieldPath: '.spec.schedule',
    },
    {
      rule: '!has(self.spec.env) || !has(self.spec.secretEnv) || self.spec.secretEnv.all(s, self.spec.env.all(e, e.name != s.name))',
      words: words.rules.variableTwice,
      fieldPath: '.spec.secretEnv',
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Position', jsonPath: '.status.queue.position', type: 'integer' },
    { name: 'GPU', jsonPath: '.spec.gpu.model' },
    { name: 'Count', jsonPath: '.spec.gpu.count', type: 'integer' },
    { name: 'Workers', jsonPath: '.spec.workers', type: 'integer' },
    { name: 'Cost', jsonPath: '.status.credit.cost' },
    { name: 'Run', jsonPath: '.status.run.seq', type: 'integer', priority: 1 },
    { name: 'Schedule', jsonPath: '.spec.schedule.cron', priority: 1 },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    resume: {
      from: ['suspended'],
      does: () => ({ spec: { power: 'Running' } }),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    runAgain: {
      from: ['stopped', 'failed', 'succeeded', 'scheduled'],
      does: (object) => ({ spec: { power: 'Running', runCount: ((object as Job).spec.runCount ?? 0) + 1 } }),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    suspend: {
      from: [...UNDER_WAY, 'scheduled'],
      does: () => ({ spec: { power: 'Suspended' } }),
      right: 'use',
      danger: 'interrupts',
      spends: false,
    },
    stop: {
      from: [...UNDER_WAY, 'suspending', 'suspended', 'scheduled'],
      does: () => ({ spec: { power: 'Stopped' } }),
      right: 'use',
      danger: 'interrupts',
      spends: false,
    },
    edit: {
      from: [...AT_REST, 'scheduled', 'queued', 'preparing'],
      does: () => ({ spec: {} }),
      right: 'use',
      danger: 'none',
      spends: true,
    },
    clone: {
      from: [...UNDER_WAY, ...AT_REST, 'stopping', 'suspending', 'scheduled'],
      does: 'open',
      right: 'use',
      danger: 'none',
      spends: false,
    },
    login: {
      from: ['running', 'starting'],
      does: 'open',
      right: 'use',
      danger: 'none',
      spends: false,
    },
    release: {
      from: [...UNDER_WAY, ...AT_REST, 'stopping', 'suspending', 'scheduled'],
      does: 'delete',
      right: 'use',
      danger: 'destroys',
      spends: false,
    },
  },
  cost: {
    source: 'container_rent',
    begins: {
      make: 'true',
      change: [
        "(object.spec.power == 'Running' && oldObject.spec.power != 'Running')",
        'object.spec.runCount > oldObject.spec.runCount',
        'object.spec.workers > oldObject.spec.workers',
      ],
    },
    /** Nothing between runs; a schedule itself never: its runs are Jobs. */
    desired(object) {
      const { spec, status } = object as Job;
      if (spec.power !== 'Running' || spec.schedule || hasEnded(object as Job)) return [];
      return workerUses(spec, status?.run && status.phase === 'running' ? runningWorkers(object as Job) : spec.workers);
    },
    // For a schedule: the range of one of its runs.
    range(object) {
      const { spec } = object as Job;
      const uses = workerUses(spec, spec.workers);
      const minutes = spec.maxRunMinutes === undefined ? undefined : spec.maxRunMinutes * (spec.retries + 1);
      return { least: uses, most: uses, minutes };
    },
    // A schedule is told that it costs nothing.
    rests: (object) => {
      const { spec } = object as Job;
      return !spec.schedule && (spec.power !== 'Running' || hasEnded(object as Job));
    },
    waitsAs(object) {
      const { spec, status } = object as Job;
      const isWaiting = ['preparing', 'queued'].includes(status?.phase ?? 'preparing');
      if (!isWaiting || spec.schedule || spec.power !== 'Running' || hasEnded(object as Job)) return undefined;
      return -PRIORITIES.indexOf(spec.priority);
    },
  },
  phaseInView(object) {
    const { metadata, spec, status } = object as Job;
    const seen = status?.phase ?? 'preparing';
    if (metadata.deletionTimestamp !== undefined) return seen === 'released' ? seen : 'releasing';
    if (endsWhatRuns(status?.reason ?? '')) return seen;
    const isAtRest = (AT_REST as readonly string[]).includes(seen) || seen === 'scheduled';
    if (spec.power === 'Stopped') return isAtRest && seen !== 'suspended' && seen !== 'scheduled' ? seen : 'stopping';
    if (spec.power === 'Suspended') return isAtRest && seen !== 'scheduled' ? seen : 'suspending';
    if (seen === 'stopped' || seen === 'suspended' || (isAtRest && !hasEnded(object as Job) && seen !== 'scheduled'))
      return spec.schedule ? 'scheduled' : 'preparing';
    return seen;
  },
  touches: ['listMounts', 'listGpuSpecs', 'getWalletBalances', 'getMyOrganization'],
  api: {
    names: ['Job', 'Jobs'],
    view: jobView,
    show: showJob,
    filters: {
      host: z.string().max(63).optional(),
      execution: z.enum(['immediate', 'scheduled']).optional(),
      schedule: z.string().max(63).optional().meta({ description: 'Runs of the schedule with this id.' }),
    },
    runs: jobRuns,
    figures: jobFigures,
    writes: {
      create: creationBody(spec, ...FIELDS).extend({
        displayName: freePeopleName,
        image: imageReference,
        secrets: secretValues.optional(),
      }),
      change: changeBody(spec, ...FIELDS).extend({
        displayName: freePeopleName.optional(),
        image: imageReference.optional(),
        secrets: secretValues.optional(),
      }),
      problems: [
        'plain_text',
        'image_malformed',
        'no_such_reference',
        'not_enough_gpus',
        'wrong_gpu',
        'gpu_unknown',
        'gpu_too_many',
        'disk_in_use',
        'disk_for_one',
        'schedule_unreadable',
        'secrets_size',
      ],
    },
  },
});

/** The run that is wanted has ended, well or not. */
export function hasEnded({ spec, status }: Job): boolean {
  const { run } = status ?? {};
  return (
    run?.endedAt !== undefined &&
    run.runCount === spec.runCount &&
    (status?.phase === 'failed' || status?.phase === 'succeeded')
  );
}

const runningWorkers = ({ spec, status }: Job): number =>
  status?.workers
    ? listOf(status.workers).filter(({ phase }) => ['running', 'starting', 'waiting'].includes(phase)).length
    : spec.workers;

/** The combined use of `count` workers. */
export function workerUses(
  { gpu, cores, memoryGi, host }: Pick<JobSpec, 'gpu' | 'cores' | 'memoryGi' | 'host'>,
  count: number,
): Use[] {
  if (count <= 0) return [];
  const of = (resource: 'gpu' | 'cpu' | 'memory') => (host === undefined ? resource : (`hosted-${resource}` as const));
  return [
    ...(gpu ? [{ resource: of('gpu'), model: gpu.model, quantity: gpu.count * count }] : []),
    { resource: of('cpu'), quantity: Math.round(cores * count * 1000) / 1000 },
    sizeUse(of('memory'), mebibytesOf(memoryGi) * MI * count),
  ];
}

export type JobPhase = PhaseOf<typeof words>;
export type JobReason = ReasonOf<typeof words>;
