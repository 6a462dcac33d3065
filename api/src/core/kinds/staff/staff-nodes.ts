// Nodes as staff see and command them: what each has and who has it, out of service and back, emptied, or joined as a tenant's own.
// A node is emptied by evicting runs of instances, workers and replicas: the operator saves what instances wrote, and starts all of
// them where there is room.

import type { ComputingRow, NodeAbout, NodeCommand } from '@gantry/contract/areas/kinds/admin-computing.ts';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import { type CardFault, cardFaultsOf, cardFaultsText, gpuFaultOf } from '@gantry/contract/gpu-conditions.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { dataProcess } from '@gantry/contract/kinds/data-process.ts';
import { evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Placed as HostWish, hostWish } from '@gantry/contract/kinds/host-of.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organization } from '@gantry/contract/kinds/organization.ts';
import { ANNOTATION, GPU_RESOURCE, LABEL, organizationOf } from '@gantry/contract/names.ts';
import { isAbsent, isBusy } from '@gantry/kube/api-error.ts';
import { asks, offered } from '@gantry/kube/asks.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { NODE, POD } from '../../../platform/kube/resources.ts';
import type { WatchCache } from '../../../platform/kube/watch-cache.ts';
import { hostIn } from '../placed-host.ts';
import type { EventReader } from './events.ts';
import { STAFF_USER } from './staff-writes.ts';

export type NodeRow = ComputingRow<'nodes'>;
type StaffClient = Pick<KubeClient, 'mergePatch' | 'jsonPatch' | 'createUnder'>;

export interface StaffNodesParts {
  cache: Pick<WatchCache, 'get' | 'list' | 'reader' | 'observe'>;
  client: { as(user: string): StaffClient };
  events: EventReader;
}

/** Hears of what a drain ends. */
type Ended = (facts: KindFacts, object: KubeObject) => Promise<void>;

export interface NodeWish {
  action: NodeCommand;
  organization_id?: string | undefined;
  confirm?: string | undefined;
  reason: string;
}

const SIMULATED = 'kwok.x-k8s.io/node';
const MOST_REASON = 1_000;
/** In the sentence of a drain that is not through. */
const MOST_NAMED = 5;

export class StaffNodes {
  readonly #parts: StaffNodesParts;

  constructor(parts: StaffNodesParts) {
    this.#parts = parts;
  }

  rows(): NodeRow[] {
    const hosts = this.#hosts();
    return this.#nodes().map((node) => this.#row(node, hosts));
  }

  /** Throws not_found. */
  row(name: string): NodeRow {
    return this.#row(this.#find(name), this.#hosts());
  }

  async about(name: string): Promise<Omit<NodeAbout, 'audit'>> {
    const node = this.#find(name);
    return {
      labels: node.metadata.labels ?? {},
      conditions: (node.status?.conditions ?? []).map(({ type, status, message = '', lastTransitionTime }) => ({
        type,
        status,
        message,
        since: lastTransitionTime ? new Date(lastTransitionTime).toISOString() : null,
      })),
      events: await this.#parts.events.of('default', [{ kind: 'Node', name }]),
      pods: this.#podsOn(name)
        .filter(({ metadata }) => organizationOf(metadata.namespace ?? '') !== undefined)
        .map((pod) => this.#podView(pod, node)),
    };
  }

  /**
   * Carries a command out; resolves with whether there was anything to do. `ended` hears of each object of whose Pods it has ended
   * one, before the next: if a drain stops halfway, their tenants know. Throws not_found, node_command, node_taken, node_kept,
   * confirmation_needed.
   */
  async act(
    name: string,
    { action, organization_id: owner, confirm, reason }: NodeWish,
    ended: Ended,
  ): Promise<boolean> {
    const node = this.#find(name);
    const isOut = node.spec?.unschedulable === true;
    const label = node.metadata.labels?.[LABEL.nodeOwner];
    const isPossible = {
      cordon: !isOut,
      drain: true,
      uncordon: isOut,
      join: label === undefined,
      part: label !== undefined,
    };
    if (!isPossible[action]) throw problem('node_command', { command: action, node: name });
    const cordoned = reason.slice(0, MOST_REASON);
    switch (action) {
      case 'cordon':
        await this.#patch(node, { spec: { unschedulable: true }, ...noted(cordoned) });
        return true;
      case 'uncordon':
        // Staff who put a node back say that its cards are sound, whatever their exporter saw last.
        await this.#patch(node, { spec: { unschedulable: null }, ...noted(null, clearedGpus(node)) });
        return true;
      case 'drain':
        if (confirm !== name) throw problem('confirmation_needed', { id: name }, { field: 'confirm' });
        // First, or what is evicted comes back.
        if (!isOut) await this.#patch(node, { spec: { unschedulable: true }, ...noted(cordoned) });
        return (await this.#evictAll(name, ended)) > 0 || !isOut;
      default:
        await this.#setOwner(node, action === 'join' ? owner : undefined, action);
        return true;
    }
  }

  /** Writes down which of its cards have failed. One that staff cleared meanwhile stays cleared: it is refused then. */
  async markGpus(node: Node, faults: readonly CardFault[]): Promise<void> {
    const before = node.metadata.annotations?.[ANNOTATION.gpuFaults];
    const text = cardFaultsText(faults);
    if (before === undefined) return this.#patch(node, { metadata: { annotations: { [ANNOTATION.gpuFaults]: text } } });
    const path = `/metadata/annotations/${ANNOTATION.gpuFaults.replace('/', '~1')}`;
    this.#parts.cache.observe(
      await this.#parts.client
        .as(STAFF_USER)
        .jsonPatch(NODE, targetOf(node as KubeObject), [
          { op: 'test', path, value: before },
          text === null ? { op: 'remove', path } : { op: 'replace', path, value: text },
        ]),
    );
  }

  async #setOwner(node: Node, owner: string | undefined, action: 'join' | 'part'): Promise<void> {
    const { name, labels } = node.metadata;
    if (action === 'join' && !this.#parts.cache.get(organization, undefined, owner ?? ''))
      throw problem('not_found', { what: owner ?? '–' }, { field: 'organization_id' });
    const isTaken = labels?.[LABEL.nodeHost] !== undefined || this.#podsOn(name).some(isOfProgram);
    if (isTaken) throw problem('node_taken', { node: name });
    await this.#patch(node, { metadata: { labels: { [LABEL.nodeOwner]: owner ?? null } } });
  }

  /** Resolves with how many there were to evict. One that a PodDisruptionBudget keeps does not keep the others. */
  async #evictAll(name: string, ended: Ended): Promise<number> {
    const staff = this.#parts.client.as(STAFF_USER);
    const pods = this.#podsOn(name).filter((pod) => isOfProgram(pod) && pod.metadata.deletionTimestamp === undefined);
    const heard = new Set<string>();
    const kept: string[] = [];
    for (const pod of pods) {
      const { namespace = '', name: podName } = pod.metadata;
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: podName, namespace } };
      try {
        await staff.createUnder(POD, { namespace, name: podName }, 'eviction', eviction);
      } catch (error) {
        if (isBusy(error)) kept.push(`${namespace}/${podName}`);
        // Otherwise it has ended by itself.
        else if (!isAbsent(error)) throw error;
        continue;
      }
      const owner = this.#ownerOf(pod);
      const uid = owner?.object.metadata.uid ?? '';
      if (!owner || heard.has(uid)) continue;
      heard.add(uid);
      await ended(owner.facts, owner.object);
    }
    if (kept.length > 0) throw problem('node_kept', { node: name, pods: kept.slice(0, MOST_NAMED).join(', ') });
    return pods.length;
  }

  async #patch(node: Node, body: Record<string, unknown>): Promise<void> {
    this.#parts.cache.observe(
      await this.#parts.client.as(STAFF_USER).mergePatch(NODE, { ...targetOf(node as KubeObject), body }),
    );
  }

  #nodes(): readonly Node[] {
    return this.#parts.cache.reader.list(NODE) as readonly Node[];
  }

  #find(name: string): Node {
    const found = this.#parts.cache.reader.get(NODE, undefined, name) as Node | undefined;
    if (!found) throw problem('not_found', { what: name });
    return found;
  }

  #podsOn(node: string): Pod[] {
    return (this.#parts.cache.reader.by(POD, 'node', node) as readonly Pod[]).filter((pod) => !isTerminal(pod));
  }

  #hosts(): ReadonlyMap<string, GpuHost> {
    return new Map(this.#parts.cache.list<GpuHost>(gpuHost).map((host) => [identityOf(host), host]));
  }

  #row(node: Node, hosts: ReadonlyMap<string, GpuHost>): NodeRow {
    const { metadata, spec, status } = node;
    const { name, labels = {}, annotations = {}, creationTimestamp = '' } = metadata;
    const pods = this.#podsOn(name);
    const { gpus, cores, bytes } = offered(node);
    const asked = (of: 'gpus' | 'cores' | 'bytes') => pods.reduce((sum, pod) => sum + asks(pod.spec)[of], 0);
    const used = asked('gpus');
    const broken = Math.max(0, quantity(status?.capacity?.[GPU_RESOURCE]) - gpus);
    const host = hosts.get(labels[LABEL.nodeHost] ?? '');
    const owner = labels[LABEL.nodeOwner];
    return {
      id: name,
      model: labels[LABEL.gpuModel] ?? null,
      gpus: gpus + broken,
      gpus_used: used,
      gpus_free: Math.max(0, gpus - used),
      gpus_broken: broken,
      cores: tenths(cores),
      cores_free: tenths(Math.max(0, cores - asked('cores'))),
      memory_gi: tenths(bytes / GI),
      memory_free_gi: tenths(Math.max(0, (bytes - asked('bytes')) / GI)),
      tenancy: labels[LABEL.nodeHost] !== undefined ? 'host' : owner !== undefined ? 'owned' : 'shared',
      organization_id: owner ?? organizationOf(host?.metadata.namespace ?? '') ?? null,
      host_id: host ? `${host.metadata.namespace}.${host.metadata.name}` : null,
      ...healthOf(node, broken),
      cordoned: spec?.unschedulable === true,
      cordon_reason: annotations[ANNOTATION.cordoned] ?? null,
      address: status?.addresses?.[0]?.address ?? null,
      os: status?.nodeInfo?.osImage ?? null,
      kubelet: status?.nodeInfo?.kubeletVersion ?? null,
      simulated: (spec?.taints ?? []).some(({ key }) => key === SIMULATED),
      instances: pods.filter((pod) => programOf(pod)?.facts === gpuInstance).length,
      created_at: creationTimestamp,
    };
  }

  #podView(pod: Pod, node: Node): NodeAbout['pods'][number] {
    const { name, namespace = '' } = pod.metadata;
    const owner = this.#ownerOf(pod);
    return {
      name,
      namespace,
      organization_id: organizationOf(namespace) ?? null,
      resource: owner?.resource ?? null,
      object_id: owner ? `${namespace}.${owner.object.metadata.name}` : null,
      object_name: owner ? (owner.object.spec.displayName ?? owner.object.metadata.name) : null,
      gpus: asks(pod.spec).gpus,
      after: !isOfProgram(pod) ? 'stays' : this.#hasOther(owner?.object, node) ? 'moves' : 'waits',
    };
  }

  #ownerOf(pod: Pod) {
    const program = programOf(pod);
    const { namespace, labels } = pod.metadata;
    const object = program && this.#parts.cache.get<Placed>(program.facts, namespace, labels?.[LABEL.name] ?? '');
    return program && object && { ...program, object };
  }

  /** An object with a host runs on that host's nodes alone. */
  #hasOther(object: Placed | undefined, { metadata }: Node): boolean {
    if (object === undefined || hostWish(object.spec) === undefined) return true;
    const found = hostIn(this.#parts.cache.reader, object.metadata.namespace ?? '', object.spec);
    return (found?.status?.nodes ?? []).some(({ name, ready }) => name !== metadata.name && ready);
  }
}

type Placed = KubeObject & { spec: HostWish & { displayName?: string } };

const PROGRAMS = [
  { facts: gpuInstance, resource: 'instances' },
  { facts: job, resource: 'jobs' },
  { facts: containerService, resource: 'services' },
  { facts: modelDeployment, resource: 'deployments' },
  { facts: dataProcess, resource: 'processing' },
  { facts: fineTune, resource: 'fine-tunes' },
  { facts: evaluation, resource: 'evaluations' },
] as const;

/**
 * The program of a Pod that is a run of an instance, a worker or a replica: other Pods of tenants come and go with the objects that need
 * them.
 */
const programOf = ({ metadata: { labels, namespace = '' } }: Pod): (typeof PROGRAMS)[number] | undefined =>
  organizationOf(namespace) === undefined || labels?.[LABEL.run] === undefined
    ? undefined
    : PROGRAMS.find(({ facts }) => facts.kind === labels[LABEL.kind]);
const isOfProgram = (pod: Pod): boolean => programOf(pod) !== undefined;

function healthOf(node: Node, broken: number): Pick<NodeRow, 'health' | 'gpu_error'> {
  const fault = gpuFaultOf(node);
  const isReady = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  return {
    health: !isReady ? 'notReady' : fault ? 'gpuError' : broken > 0 ? 'gpusMissing' : 'healthy',
    gpu_error: fault?.detail ?? null,
  };
}

const noted = (reason: string | null, more: Readonly<Record<string, string | null>> = {}) => ({
  metadata: { annotations: { [ANNOTATION.cordoned]: reason, ...more } },
});

const clearedGpus = (node: Node): Record<string, string | null> => {
  const faults = cardFaultsOf(node).map((fault) => ({ ...fault, isCleared: true }));
  return faults.length === 0 ? {} : { [ANNOTATION.gpuFaults]: cardFaultsText(faults) };
};

const tenths = (amount: number): number => Math.round(amount * 10) / 10;
