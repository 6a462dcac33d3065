// A job: a program that runs to its end on one or several workers, at once or by a schedule. A run is a batch/v1 Job, queued by
// Kueue where that is installed; a schedule makes Jobs of its own kind.
import * as z from 'zod';
import { defineKind, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { changeBody, creationBody, freePeopleName, imageReference, secretValues } from '../http/kind-bodies.ts';
import { type Job, PROGRAM_FIELDS, spec, status } from './job-schema.ts';
import { TRACKING_PORTS } from './job-tracking.ts';
import { jobView, showJob } from './job-view.ts';
import { jobWords as words } from './job-words.ts';
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

export type { Job, JobSpec, JobStatus } from './job-schema.ts';
export type { JobView } from './job-view.ts';

/** Fields that a person sets, at creation and later. */
const FIELDS = [...PROGRAM_FIELDS, 'schedule', 'idle'] as const;

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

const TASK = {
  ends: ['failed', 'succeeded'],
  runs: ['running'],
  isTemplate: (task: object) => (task as Job).spec.schedule !== undefined,
  templateRests: 'scheduled',
} as const;
const cost = taskCost(TASK);

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
    CREATOR_KEPT,
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
    {
      rule: `!has(self.spec.tracking) || !self.spec.tracking || !has(self.spec.ports) || self.spec.ports.all(p, !(p.port in [${TRACKING_PORTS.join(', ')}]))`,
      words: words.rules.trackingPorts,
      fieldPath: '.spec.ports',
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
    resume: startFrom(['suspended']),
    runAgain: runAgainFrom(['stopped', 'failed', 'succeeded', 'scheduled']),
    suspend: suspendFrom([...UNDER_WAY, 'scheduled']),
    stop: stopFrom([...UNDER_WAY, 'suspending', 'suspended', 'scheduled']),
    edit: editFrom([...AT_REST, 'scheduled', 'queued', 'preparing']),
    clone: openFrom([...UNDER_WAY, ...AT_REST, 'stopping', 'suspending', 'scheduled']),
    login: openFrom(['running', 'starting']),
    release: releaseFrom([...UNDER_WAY, ...AT_REST, 'stopping', 'suspending', 'scheduled']),
  },
  cost: {
    ...cost,
    begins: {
      ...cost.begins,
      change: [...cost.begins.change, 'object.spec.workers > oldObject.spec.workers'],
    },
  },
  phaseInView: taskPhaseInView(TASK),
  touches: ['getJobCurve', 'listMounts', 'listGpuSpecs', 'getWalletBalances', 'getMyOrganization'],
  api: {
    names: ['Job', 'Jobs'],
    view: jobView,
    show: showJob,
    filters: {
      host: z.string().max(63).optional(),
      execution: z.enum(['immediate', 'scheduled']).optional(),
      schedule: z.string().max(63).optional().meta({ description: 'Runs of the schedule with this id.' }),
    },
    runs: taskRuns,
    usage: taskUsage,
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

export type JobPhase = PhaseOf<typeof words>;
export type JobReason = ReasonOf<typeof words>;
