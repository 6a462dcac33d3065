// A deployment of a model: a service whose program is an engine. Which files it serves, and how, the gateway writes into the status,
// because models are rows of SQL; nothing starts before it has done so for the spec as it is.
import type { Condition } from '@gantry/contract/define-kind.ts';
import type { ContainerServiceStatus, ServicePhase } from '@gantry/contract/kinds/container-service.ts';
import {
  type DeploymentPhase,
  type ModelDeployment,
  type ModelDeploymentReason,
  type ModelDeploymentStatus,
  modelDeployment,
} from '@gantry/contract/kinds/model-deployment.ts';
import { TEMPLATE_FIELDS } from '@gantry/contract/kinds/model-deployment-schema.ts';
import { sizesOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import { RECEIVER } from '@gantry/contract/models/engines.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { defineController, type Plan } from '../../define-controller.ts';
import type { ServiceSettings } from '../../serving/desired.ts';
import { overdue, stale } from '../../serving/overdue.ts';
import { planServed, SERVED_WRITES } from '../../serving/plan-served.ts';
import { readsOf } from '../../serving/reads.ts';
import type { Served } from '../../serving/served.ts';
import type { Trouble } from '../../serving/trouble.ts';
import { asService, deploymentOf } from './as-service.ts';
import { asWorker, type DeploymentSettings, dress, gibOf, INIT_CONTAINERS } from './dress.ts';
import { fills, planFill } from './fill.ts';

const served: Served = {
  facts: modelDeployment,
  words: (reason) => modelDeployment.reasons[reason],
  asService,
  template(service) {
    const { spec } = deploymentOf(service);
    return Object.fromEntries(TEMPLATE_FIELDS.map((field) => [field, spec[field]]));
  },
  inits: INIT_CONTAINERS,
  extra: (service) => deploymentOf(service).status?.weights?.digest,
  trouble: (service, settings) => refusedIn(deploymentOf(service)) ?? withoutGroups(deploymentOf(service), settings),
  waitsFor(service) {
    const { metadata, status } = deploymentOf(service);
    const isAnswered = status?.setup?.generation === metadata.generation && status?.weights !== undefined;
    return isAnswered ? undefined : { reason: 'ChoosingSetup', args: {} };
  },
  progress(service, pods) {
    const bytes = deploymentOf(service).status?.weights?.sizeBytes ?? 0;
    return pods.some(isFetching) ? { reason: 'FetchingModel', args: { sizeGi: gibOf(bytes) } } : undefined;
  },
  dress,
  nodes: (service) => sizesOf(deploymentOf(service)).nodes,
  worker: asWorker,
};

/** Why it cannot be served as it is wished for: the gateway's answer to this generation. */
function refusedIn({ metadata, status }: ModelDeployment): Trouble | undefined {
  const answer = status?.conditions?.find(({ type }: Condition) => type === 'SetupChosen');
  if (answer?.status !== 'False' || answer.observedGeneration !== metadata.generation) return undefined;
  if (!Object.hasOwn(modelDeployment.reasons, answer.reason)) return undefined;
  return { reason: answer.reason as ModelDeploymentReason, args: answer.args ?? {} };
}

/** The missing part of the cluster, if a replica does not fit on one node. */
function withoutGroups(deployment: ModelDeployment, { groups }: ServiceSettings): Trouble | undefined {
  const { gpu, nodes } = sizesOf(deployment);
  if (nodes === 1 || groups !== 'none') return undefined;
  return { reason: 'NeedsGroups', args: { nodes: `${nodes}`, count: `${gpu?.count ?? 0}`, model: gpu?.model ?? '–' } };
}

const isFetching = ({ status }: Pod): boolean =>
  status?.initContainerStatuses?.some(({ name, state }) => name === RECEIVER && state?.running !== undefined) ?? false;

const { reads: servedReads, halts } = readsOf<ModelDeployment>(served);
const reads = { ...servedReads, fills };

export const modelDeploymentController = defineController<ModelDeployment, typeof reads, DeploymentSettings>({
  facts: modelDeployment,
  reads,
  writes: SERVED_WRITES,
  overdue: (owner, run, settings) => overdue(asService(owner), run, settings),
  halts,
  stale: (owner, pods) => stale(asService(owner), pods),
  plan(owner, seen, context) {
    const { status, create = [], remove = [], ...plan } = planServed(served, owner, seen, context);
    const fill = planFill(owner, seen, context.settings);
    return {
      ...plan,
      create: [...create, ...fill.create],
      remove: [...remove, ...fill.remove],
      ...(status && { status: inOwnWords(status) }),
    } as Plan<ModelDeploymentStatus>;
  },
});

/** One that rests by its owner's wish is finished. */
const PHASES: Partial<Record<ServicePhase, DeploymentPhase>> = { stopped: 'finished' };

function inOwnWords({ url: _, ...status }: ContainerServiceStatus): ModelDeploymentStatus {
  const phase = status.phase as ServicePhase;
  const isFinished = phase === 'sleeping' && status.reason === 'ScaledToZero';
  return { ...status, phase: isFinished ? 'finished' : (PHASES[phase] ?? phase) } as ModelDeploymentStatus;
}
