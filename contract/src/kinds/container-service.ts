// A service: a program on one or several replicas that answers requests, under an address, and sleeps while there are none.
import * as z from 'zod';
import { endsWhatRuns } from '../billing/credit.ts';
import { defineKind, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { changeBody, creationBody, freePeopleName, imageReference, secretValues } from '../http/kind-bodies.ts';
import { type ContainerService, spec, status, TEMPLATE_FIELDS } from './container-service-schema.ts';
import { serviceReplicas, serviceUsage, serviceView, showService } from './container-service-view.ts';
import { containerServiceWords as words } from './container-service-words.ts';
import { ROLLBACK_OPTIONS, rollbackFrom } from './revisions.ts';
import { workerUses } from './task-rows.ts';

export type {
  ContainerService,
  ContainerServiceSpec,
  ContainerServiceStatus,
} from './container-service-schema.ts';

import { CREATOR_KEPT, editFrom, openFrom, releaseFrom, startFrom, stopFrom } from './kind-rows.ts';

export type { ServiceView } from './container-service-view.ts';

/** Fields that a person sets, at creation and later. */
const FIELDS = [
  'command',
  'expandCommand',
  'gpu',
  'cores',
  'memoryGi',
  'host',
  'env',
  'secretEnv',
  'ports',
  'publish',
  'replicas',
  'autoscaling',
  'readiness',
  'update',
  'wake',
  'idle',
] as const;

/** Phases of what is to serve on replicas. */
export const SERVING_PHASES = {
  sleeping: { tone: 'neutral' },
  failed: { tone: 'bad' },
  partialSuccess: { tone: 'warning' },
  deploying: { tone: 'progress' },
  waking: { tone: 'progress' },
  active: { tone: 'good' },
  preparing: { tone: 'progress' },
} as const;

const phases = {
  releasing: { tone: 'progress' },
  released: { tone: 'neutral' },
  stopping: { tone: 'progress' },
  stopped: { tone: 'neutral' },
  ...SERVING_PHASES,
} as const;

export const WANTED = ['sleeping', 'failed', 'partialSuccess', 'deploying', 'waking', 'active', 'preparing'] as const;
/** Replicas are there, or are on their way. */
export const SERVING = ['failed', 'partialSuccess', 'deploying', 'waking', 'active'] as const;

/** When what serves on replicas begins to cost more. */
export const SERVING_BEGINS = {
  make: "!has(object.spec.power) || object.spec.power == 'Running'",
  change: [
    "(object.spec.power == 'Running' && oldObject.spec.power != 'Running')",
    'object.spec.replicas > oldObject.spec.replicas',
    'object.spec.?autoscaling.?min.orValue(0) > oldObject.spec.?autoscaling.?min.orValue(0)',
    "(object.spec.power == 'Running' && object.spec.?gpu.?count.orValue(0) > oldObject.spec.?gpu.?count.orValue(0))",
  ],
};

export const containerService = defineKind({
  kind: 'ContainerService',
  plural: 'containerservices',
  shortNames: ['gsvc'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'svc',
  collection: 'deploy/v1/service',
  menu: 'deploy/service',
  staff: { resource: 'services', menu: 'computing', columns: ['replicas', 'nodes'] },
  words,
  spec,
  status,
  rules: [
    CREATOR_KEPT,
    { rule: 'size(self.metadata.name) <= 40', words: words.rules.nameLength },
    { rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", words: words.rules.name },
    {
      rule: 'has(self.spec.ports) && size(self.spec.ports) > 0',
      words: words.rules.portNeeded,
      fieldPath: '.spec.ports',
    },
    {
      rule: '!has(self.spec.publish) || !has(self.spec.ports) || self.spec.ports.exists(p, p.port == self.spec.publish.port)',
      words: words.rules.publishedPort,
      fieldPath: '.spec.publish',
    },
    {
      rule: '!has(self.spec.env) || !has(self.spec.secretEnv) || self.spec.secretEnv.all(s, self.spec.env.all(e, e.name != s.name))',
      words: words.rules.variableTwice,
      fieldPath: '.spec.secretEnv',
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Ready', jsonPath: '.status.replicas.ready', type: 'integer' },
    { name: 'Wanted', jsonPath: '.status.replicas.wanted', type: 'integer' },
    { name: 'URL', jsonPath: '.status.url' },
    { name: 'Cost', jsonPath: '.status.credit.cost' },
    { name: 'Revision', jsonPath: '.status.revision', type: 'integer', priority: 1 },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    start: startFrom(['stopped']),
    stop: stopFrom(WANTED),
    restart: {
      from: SERVING,
      does: (object) => ({ spec: { restartCount: ((object as ContainerService).spec.restartCount ?? 0) + 1 } }),
      right: 'use',
      danger: 'interrupts',
      spends: false,
    },
    rollback: rollbackFrom([...SERVING, 'sleeping', 'stopped', 'preparing'], TEMPLATE_FIELDS),
    edit: editFrom([...WANTED, 'stopped']),
    clone: openFrom([...WANTED, 'stopping', 'stopped']),
    login: openFrom(SERVING),
    release: releaseFrom([...WANTED, 'stopping', 'stopped']),
  },
  cost: {
    source: 'container_rent',
    begins: SERVING_BEGINS,
    desired: (object) => workerUses((object as ContainerService).spec, wantedReplicas(object as ContainerService)),
    range(object) {
      const { spec } = object as ContainerService;
      const { min, max } = spec.autoscaling ?? { min: spec.replicas, max: spec.replicas };
      return { least: workerUses(spec, min), most: workerUses(spec, max) };
    },
    replicas: (object) => wantedReplicas(object as ContainerService),
    rests: (object) => (object as ContainerService).spec.power !== 'Running',
  },
  phaseInView(object) {
    const { metadata, spec, status } = object as ContainerService;
    const seen = status?.phase ?? 'preparing';
    if (metadata.deletionTimestamp !== undefined) return seen === 'released' ? seen : 'releasing';
    if (endsWhatRuns(status?.reason ?? '')) return seen;
    if (spec.power === 'Stopped') return seen === 'stopped' ? seen : 'stopping';
    return seen === 'stopped' || seen === 'stopping' ? 'preparing' : seen;
  },
  touches: ['listGpuSpecs', 'getWalletBalances', 'getMyOrganization'],
  api: {
    names: ['Service', 'Services'],
    view: serviceView,
    show: showService,
    filters: { host: z.string().max(63).optional() },
    replicas: serviceReplicas,
    usage: serviceUsage,
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
      options: ROLLBACK_OPTIONS,
      problems: [
        'plain_text',
        'image_malformed',
        'no_such_reference',
        'not_enough_gpus',
        'wrong_gpu',
        'gpu_unknown',
        'gpu_too_many',
        'revision_unknown',
        'schedule_unreadable',
        'secrets_size',
      ],
    },
  },
});

/** How many replicas there are to be, money apart: of a sleeping service none. */
export function wantedReplicas({ spec, status }: ContainerService): number {
  if (spec.power !== 'Running') return 0;
  const { autoscaling } = spec;
  if (!autoscaling) return spec.replicas;
  const asked = status?.scaling?.replicas;
  const wanted = Number.isInteger(asked) ? (asked as number) : Math.max(autoscaling.min, 1);
  return Math.min(Math.max(wanted, autoscaling.min), autoscaling.max);
}

export type ServicePhase = PhaseOf<typeof words>;
export type ServiceReason = ReasonOf<typeof words>;
