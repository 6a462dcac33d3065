// A deployment: a version of a model, served by an engine on one or several replicas. What a service does (replicas, revisions, sleep,
// money) it does too.
//
// Whoever sends it requests finds its replicas so: they are Pods in the organisation's namespace with the label
// `gantry.dev/model-deployment: <name>` (LABEL.modelDeployment), and where each is spread over nodes, those of them whose GROUP_PART is
// '0'; their container `main` has a port named `http`, on which the engine speaks the OpenAI dialect; a Pod is Ready once the engine has
// answered a real request; and the engine serves the model under the name of the deployment, and adapters under theirs. `status.pods`
// has the same with addresses. One that sleeps (phase `sleeping`) is woken as a service is, by
// `status.scaling: { replicas: 1, because: 'Request', at }`.

import * as z from 'zod';
import { endsWhatRuns } from '../billing/credit.ts';
import { defineKind, type KubeObject, type PhaseOf, type ReasonOf } from '../define-kind.ts';
import { changeBody, creationBody, freePeopleName } from '../http/kind-bodies.ts';
import {
  type ContainerService,
  SERVING,
  SERVING_BEGINS,
  SERVING_PHASES,
  WANTED,
  wantedReplicas as wantedOfService,
} from './container-service.ts';
import { MOST_REPLICAS } from './container-service-schema.ts';
import { hostWish } from './host-of.ts';
import { type ModelDeployment, spec, status, TEMPLATE_FIELDS } from './model-deployment-schema.ts';
import {
  deploymentReplicas,
  deploymentUsage,
  modelDeploymentView,
  showModelDeployment,
  sizesOf,
} from './model-deployment-view.ts';
import { modelDeploymentWords as words } from './model-deployment-words.ts';
import { ROLLBACK_OPTIONS, rollbackFrom } from './revisions.ts';
import { workerUses } from './task-rows.ts';

export type {
  ModelDeployment,
  ModelDeploymentSpec,
  ModelDeploymentStatus,
} from './model-deployment-schema.ts';

import { CREATOR_KEPT, editFrom, openFrom, releaseFrom, startFrom, stopFrom } from './kind-rows.ts';

export type { ModelDeploymentView } from './model-deployment-view.ts';

/** Fields that a person sets, at creation and later. */
const FIELDS = [
  'model',
  'version',
  'task',
  'engine',
  'setup',
  'gpu',
  'nodesPerReplica',
  'cores',
  'memoryGi',
  'contextLength',
  'tensorParallel',
  'memoryFraction',
  'adapters',
  'extraArgs',
  'env',
  'host',
  'hostTag',
  'nodeLabels',
  'replicas',
  'autoscaling',
  'update',
  'wake',
  'idle',
  'gate',
  'dataReflow',
] as const;

const phases = {
  releasing: { tone: 'progress' },
  released: { tone: 'neutral' },
  stopping: { tone: 'progress' },
  finished: { tone: 'neutral' },
  ...SERVING_PHASES,
} as const;

/** The specification's words for a phase: section 4, Deployment. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  active: ['active', 'success'],
  partialSuccess: ['partial success'],
  sleeping: ['finished'],
  preparing: ['deploying'],
  waking: ['deploying'],
};

export const modelDeployment = defineKind({
  kind: 'ModelDeployment',
  plural: 'modeldeployments',
  shortNames: ['gmd'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'dep',
  collection: 'model/v1/model/deployment',
  menu: 'model/deployment',
  staff: { resource: 'deployments', menu: 'model', columns: ['replicas', 'nodes'] },
  words,
  spec,
  status,
  rules: [
    CREATOR_KEPT,
    { rule: 'size(self.metadata.name) <= 40', words: words.rules.nameLength },
    { rule: "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')", words: words.rules.name },
    {
      rule: '!has(self.spec.tensorParallel) || !has(self.spec.gpu) || self.spec.tensorParallel <= self.spec.gpu.count',
      words: words.rules.tensorParallel,
      fieldPath: '.spec.tensorParallel',
    },
    {
      rule: `!has(self.spec.nodesPerReplica) || self.spec.nodesPerReplica * (has(self.spec.autoscaling) ? self.spec.autoscaling.max : self.spec.replicas) <= ${MOST_REPLICAS}`,
      words: words.rules.nodesPerReplica,
      fieldPath: '.spec.nodesPerReplica',
    },
    {
      rule: "self.spec.setup != 'Manual' || (self.spec.engine != 'auto' && has(self.spec.cores) && has(self.spec.memoryGi))",
      words: words.rules.manual,
      fieldPath: '.spec.setup',
    },
  ],
  columns: [
    { name: 'Phase', jsonPath: '.status.phase' },
    { name: 'Model', jsonPath: '.status.weights.name' },
    { name: 'Version', jsonPath: '.spec.version' },
    { name: 'Engine', jsonPath: '.status.setup.engine' },
    { name: 'Ready', jsonPath: '.status.replicas.ready', type: 'integer' },
    { name: 'Wanted', jsonPath: '.status.replicas.wanted', type: 'integer' },
    { name: 'Cost', jsonPath: '.status.credit.cost' },
    { name: 'Message', jsonPath: '.status.message', priority: 1 },
    { name: 'Age', jsonPath: '.metadata.creationTimestamp', type: 'date' },
  ],
  phases,
  actions: {
    start: {
      ...startFrom(['finished']),
      applies: (object: KubeObject) => (object as ModelDeployment).spec.power !== 'Running',
    },
    stop: stopFrom(WANTED),
    restart: {
      from: SERVING,
      does: (object) => ({ spec: { restartCount: ((object as ModelDeployment).spec.restartCount ?? 0) + 1 } }),
      right: 'use',
      danger: 'interrupts',
      spends: false,
    },
    rollback: rollbackFrom([...SERVING, 'sleeping', 'finished', 'preparing'], TEMPLATE_FIELDS),
    edit: editFrom([...WANTED, 'finished']),
    clone: openFrom([...WANTED, 'stopping', 'finished']),
    release: releaseFrom([...WANTED, 'stopping', 'finished']),
  },
  cost: {
    source: 'container_rent',
    begins: {
      ...SERVING_BEGINS,
      change: [
        ...SERVING_BEGINS.change,
        "(object.spec.power == 'Running' && object.spec.?nodesPerReplica.orValue(1) > oldObject.spec.?nodesPerReplica.orValue(1))",
      ],
    },
    desired: (object) => usesOf(object as ModelDeployment, wantedReplicas(object as ModelDeployment)),
    range(object) {
      const { spec } = object as ModelDeployment;
      const { min, max } = spec.autoscaling ?? { min: spec.replicas, max: spec.replicas };
      return { least: usesOf(object as ModelDeployment, min), most: usesOf(object as ModelDeployment, max) };
    },
    replicas: (object) => wantedReplicas(object as ModelDeployment),
    rests: (object) => (object as ModelDeployment).spec.power !== 'Running',
  },
  phaseInView(object) {
    const { metadata, spec, status } = object as ModelDeployment;
    const seen = status?.phase ?? 'preparing';
    if (metadata.deletionTimestamp !== undefined) return seen === 'released' ? seen : 'releasing';
    if (endsWhatRuns(status?.reason ?? '')) return seen;
    if (spec.power === 'Stopped') return seen === 'finished' ? seen : 'stopping';
    return (seen === 'finished' && spec.replicas > 0) || seen === 'stopping' ? 'preparing' : seen;
  },
  touches: [
    'listGpuSpecs',
    'getWalletBalances',
    'getMyOrganization',
    'getModel',
    'listModelSpace',
    'listModelLibrary',
    'getLineage',
    'getLineageImpact',
  ],
  api: {
    names: ['Deployment', 'Deployments'],
    view: modelDeploymentView,
    show: showModelDeployment,
    statusesOf: (phase: string) => STATUSES[phase] ?? [phase],
    filters: { host: z.string().max(63).optional() },
    pageSize: 100,
    replicas: deploymentReplicas,
    usage: deploymentUsage,
    writes: {
      createPath: 'model/v1/model/deploy',
      create: creationBody(spec, ...FIELDS).extend({ displayName: freePeopleName }),
      change: changeBody(spec, ...FIELDS).extend({ displayName: freePeopleName.optional() }),
      options: ROLLBACK_OPTIONS,
      problems: [
        'plain_text',
        'revision_unknown',
        'no_such_reference',
        'not_enough_gpus',
        'wrong_gpu',
        'gpu_unknown',
        'gpu_too_many',
        'schedule_unreadable',
        'deployment_unservable',
      ],
    },
  },
});

const usesOf = (object: ModelDeployment, replicas: number) =>
  workerUses({ ...sizesOf(object), host: hostWish(object.spec) }, replicas * sizesOf(object).nodes);

/** How many replicas there are to be, money apart: none while it sleeps, or nobody knows yet how it is served. */
export const wantedReplicas = (object: ModelDeployment): number =>
  object.status?.setup
    ? Math.min(wantedOfService(object as unknown as ContainerService), mostReplicas(sizesOf(object).nodes))
    : 0;

/** Each of their Pods has a place in the status. */
export const mostReplicas = (nodes: number): number => Math.floor(MOST_REPLICAS / nodes);

export type DeploymentPhase = PhaseOf<typeof words>;
export type ModelDeploymentReason = ReasonOf<typeof words>;
