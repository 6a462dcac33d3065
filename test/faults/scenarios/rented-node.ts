// A simulated node with a unique model, and a host that fits nowhere else: its spec, and what it holds.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { LABEL, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { desiredNode } from '../../../hack/kwok/nodes.ts';
import type { Lease } from '../../../operator/src/resources.ts';
import { waitUntil } from '../wait-until.ts';
import type { Arena } from './arena.ts';

const PATIENCE_MS = 60_000;
const NODES = '/api/v1/nodes';
const LEASES = `/apis/coordination.k8s.io/v1/namespaces/${PLATFORM_NAMESPACE}/leases`;

export const nodePath = (name: string): string => `${NODES}/${name}`;
export const leasePath = (node: string): string => `${LEASES}/${node}`;
const hostsOf = (namespace: string): string => `/apis/${API_VERSION}/namespaces/${namespace}/gpuhosts`;
export const hostPath = (namespace: string, name: string): string => `${hostsOf(namespace)}/${name}`;

/** Eight cards of the model `model`. */
export async function joinNode(arena: Arena, name: string, model = name): Promise<void> {
  const { metadata, ...rest } = desiredNode('a100', 0, arena.cluster.bridge.ip);
  const labels = { ...metadata.labels, 'kubernetes.io/hostname': name, [LABEL.gpuModel]: model };
  const body = { ...rest, metadata: { ...metadata, name, labels } };
  await arena.call({ method: 'POST', path: NODES, body });
}

export async function leaveNode(arena: Arena, name: string): Promise<void> {
  if (await arena.get(nodePath(name))) await arena.call({ method: 'DELETE', path: nodePath(name) });
}

export async function rent(arena: Arena, namespace: string, name: string, model = name): Promise<void> {
  const body = { apiVersion: API_VERSION, kind: 'GpuHost', metadata: { name }, spec: { gpu: { model, count: 8 } } };
  await arena.call({ method: 'POST', path: hostsOf(namespace), body });
}

/** The first state, as often as one looks, in which `is` holds; the latest wish is known in it. */
export async function hostBecomes(
  arena: Arena,
  [namespace, name]: readonly [namespace: string, name: string],
  what: string,
  is: (host: GpuHost) => boolean,
): Promise<GpuHost> {
  let last: GpuHost | undefined;
  const look = async () => {
    last = await arena.get<GpuHost>(hostPath(namespace, name));
    const isKnown = last !== undefined && last.status?.observedGeneration === last.metadata.generation;
    return isKnown && last && is(last) ? last : undefined;
  };
  return waitUntil(`${name} is ${what}`, look, {
    limitMs: PATIENCE_MS,
    everyMs: 100,
    context: () => `${last?.status?.phase}: ${last?.status?.message}`,
  });
}

export const isActive = ({ status }: GpuHost): boolean => status?.phase === 'active';

export async function release(arena: Arena, namespace: string, name: string): Promise<void> {
  await arena.call({ method: 'DELETE', path: hostPath(namespace, name) });
  const isGone = async () => (await arena.get(hostPath(namespace, name))) === undefined;
  await waitUntil(`${name} is gone`, isGone, { limitMs: PATIENCE_MS, everyMs: 100 });
}

/** The parts of a node that concern hosts: its label and taint, and the holder of its Lease. */
export async function asideFor(
  arena: Arena,
  name: string,
): Promise<{ label?: string; taint?: string; lease?: string }> {
  const [node, lease] = await Promise.all([
    arena.get<Node>(nodePath(name)),
    arena.get<Lease & KubeObject>(leasePath(name)),
  ]);
  const label = node?.metadata.labels?.[LABEL.nodeHost];
  const taint = node?.spec?.taints?.find(({ key }) => key === 'gantry.dev/host')?.value;
  const holder = lease?.metadata.labels?.[LABEL.hostUid];
  return { ...(label && { label }), ...(taint && { taint }), ...(holder && { lease: holder }) };
}
