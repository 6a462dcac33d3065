// Simulated GPU nodes: what a cluster of a hundred machines looks like to the product, without any.
import { mustCallApi } from '../api-call.ts';
import type { Layout } from '../layout.ts';

export interface GpuModel {
  /** The label of GPU feature discovery, and what an instance asks for. */
  readonly product: string;
  readonly perNode: number;
  readonly memoryMi: number;
  readonly cpus: number;
  readonly memoryGi: number;
}

/** Keys name the nodes: `sim-h100-0`. */
export const MODELS = {
  h100: { product: 'NVIDIA-H100-80GB-HBM3', perNode: 8, memoryMi: 81_559, cpus: 192, memoryGi: 2048 },
  a100: { product: 'NVIDIA-A100-SXM4-40GB', perNode: 8, memoryMi: 40_960, cpus: 128, memoryGi: 1024 },
  l40s: { product: 'NVIDIA-L40S', perNode: 4, memoryMi: 46_068, cpus: 96, memoryGi: 768 },
  rtx4090: { product: 'NVIDIA-GeForce-RTX-4090', perNode: 2, memoryMi: 24_564, cpus: 32, memoryGi: 256 },
} satisfies Record<string, GpuModel>;

export type ModelName = keyof typeof MODELS;
export type NodeCounts = Readonly<Partial<Record<ModelName, number>>>;

const DEFAULT_COUNTS: NodeCounts = { h100: 2, a100: 2, l40s: 2, rtx4090: 2 };

/** Only a Pod that names it in its tolerations lands there: a simulated node runs nothing. */
const SIMULATED_TAINT = { key: 'kwok.x-k8s.io/node', value: 'fake', effect: 'NoSchedule' };
/** The annotation that makes KWOK manage a node. */
export const MANAGED = { key: 'kwok.x-k8s.io/node', value: 'fake' };

const NODES = '/api/v1/nodes';
const CONFLICT = 409;
const AT_ONCE = 32;

/** Creates missing nodes; resolves with the names of all. */
export async function makeNodes(cluster: Layout, counts: NodeCounts = DEFAULT_COUNTS): Promise<string[]> {
  const wanted = (Object.keys(counts) as ModelName[]).flatMap((model) =>
    Array.from({ length: counts[model] ?? 0 }, (_, index) => desiredNode(model, index, cluster.bridge.ip)),
  );
  await inTurns(wanted, (body) => mustCallApi(cluster, { method: 'POST', path: NODES, body }, [CONFLICT]));
  return wanted.map(({ metadata }) => metadata.name);
}

/** `address` is one that refuses requests for logs at once. */
export function desiredNode(model: ModelName, index: number, address: string) {
  const { product, perNode, memoryMi, cpus, memoryGi } = MODELS[model];
  const name = `sim-${model}-${index}`;
  const resources = {
    cpu: String(cpus),
    memory: `${memoryGi}Gi`,
    'ephemeral-storage': '4Ti',
    pods: '110',
    'nvidia.com/gpu': String(perNode),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'nvidia.com/gpu.product': product,
        'nvidia.com/gpu.count': String(perNode),
        'nvidia.com/gpu.memory': String(memoryMi),
        'gantry.dev/simulated': 'true',
        type: 'kwok',
      },
      annotations: { [MANAGED.key]: MANAGED.value, 'node.alpha.kubernetes.io/ttl': '0' },
    },
    spec: { taints: [SIMULATED_TAINT] },
    status: {
      capacity: resources,
      allocatable: resources,
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        osImage: 'simulated',
        kernelVersion: 'simulated',
        containerRuntimeVersion: 'kwok://simulated',
        kubeletVersion: 'v1.34.4-simulated',
        kubeProxyVersion: '',
        bootID: '',
        machineID: '',
        systemUUID: '',
      },
    },
  };
}

/** A bounded number at once: a thousand connections opened together would only wait for each other. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
