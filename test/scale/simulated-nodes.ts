// More simulated nodes than a cluster starts with; those that were there before stay.
import { GPU_RESOURCE } from '@gantry/contract/names.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { desiredNode, type ModelName } from '../../hack/kwok/nodes.ts';
import { NODE } from '../../operator/src/resources.ts';
import { eventually } from '../support/eventually.ts';
import { clientOf } from './fleet.ts';

const WIDTH = 16;
/** Those of another size than usual are numbered from here: a cluster starts with some of the usual size. */
const FIRST_OF_OTHER_SIZE = 1_000;
/** Nobody listens there: requests to a simulated node for logs are refused at once. */
const ADDRESS = '127.0.0.1';

interface Numbered {
  /** A core, 2 GiB and room for a Pod for each; the model's own number of cards where absent. */
  gpusPerNode?: number | undefined;
  /**
   * The number of the first. A name that another file has just removed needs another number: KWOK 0.7 keeps a node twice that comes back
   * within seconds, and then renews the Lease of no node any more.
   */
  first?: number;
}

/** Resolves once there are `count` nodes of the model and all are Ready; returns a function that removes those it made. */
export async function simulateNodes(
  kubeconfig: string,
  model: ModelName,
  count: number,
  { gpusPerNode, first = gpusPerNode === undefined ? 0 : FIRST_OF_OTHER_SIZE }: Numbered = {},
): Promise<() => Promise<void>> {
  const client = clientOf(kubeconfig);
  const nodes: Resource = { ...NODE, labelSelector: 'gantry.dev/simulated=true' };
  const listed = async () => (await client.list(nodes, { labelSelector: nodes.labelSelector })).items;
  const there = new Set((await listed()).map(({ metadata }) => metadata.name));
  const wanted = Array.from({ length: count }, (_, index) => {
    const node = desiredNode(model, first + index, ADDRESS);
    return gpusPerNode === undefined ? node : withGpus(node, gpusPerNode);
  });
  const missing = wanted.filter(({ metadata }) => !there.has(metadata.name));
  await inParallel(missing, WIDTH, async (node) => {
    await client.create(nodes, node);
  });
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  await eventually('the simulated nodes are ready', async () =>
    (await listed()).filter(({ metadata }) => names.has(metadata.name)).every(isReady),
  );
  return async () => {
    const made = (await listed()).filter(({ metadata }) => names.has(metadata.name) && !there.has(metadata.name));
    await inParallel(made, WIDTH, async ({ apiVersion, kind, metadata: { name, uid = '' } }) => {
      await client.delete(nodes, { apiVersion, kind, name, uid });
    });
  };
}

function withGpus(node: ReturnType<typeof desiredNode>, count: number): typeof node {
  const resources = {
    ...node.status.capacity,
    cpu: `${count}`,
    memory: `${2 * count}Gi`,
    'ephemeral-storage': `${10 * count}Gi`,
    pods: `${count}`,
    [GPU_RESOURCE]: `${count}`,
  };
  return { ...node, status: { ...node.status, capacity: resources, allocatable: resources } };
}

const isReady = (node: object): boolean =>
  (node as { status?: { conditions?: { type: string; status: string }[] } }).status?.conditions?.some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  ) ?? false;
