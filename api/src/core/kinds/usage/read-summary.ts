// A kubelet's report of the use of its node and its Pods (`stats/v1alpha1.Summary`). A node may be a tenant's own, and names in it come out
// of Pods: only Pods that are asked for are read, and whatever is not an amount is absent.

/** Amounts in use; absent where the kubelet does not say. */
export interface Used {
  cores?: number | undefined;
  memoryBytes?: number | undefined;
  rootBytes?: number | undefined;
}

export interface PodUse extends Used {
  /** By their claims. */
  volumes: ReadonlyMap<string, { usedBytes?: number | undefined; capacityBytes?: number | undefined }>;
}

export interface Summary {
  node: Used & { rootCapacityBytes?: number | undefined };
  /** By uid. */
  pods: ReadonlyMap<string, PodUse>;
}

const NANO = 1e-9;
/** The most volumes of a Pod, which has its home and at most 16 disks. */
const MOST_VOLUMES = 64;

/** Throws SyntaxError for what is no JSON. Pods are read if `isWanted`, by their uid. */
export function readSummary(text: string, isWanted: (uid: string) => boolean): Summary {
  const { node, pods } = fieldsOf(JSON.parse(text));
  const { fs } = fieldsOf(node);
  return {
    node: {
      ...usedBy(node),
      rootBytes: amount(fieldsOf(fs).usedBytes),
      rootCapacityBytes: amount(fieldsOf(fs).capacityBytes),
    },
    pods: new Map(
      listOf(pods).flatMap((pod): [string, PodUse][] => {
        const { uid } = fieldsOf(fieldsOf(pod).podRef);
        return typeof uid === 'string' && isWanted(uid) ? [[uid, podUse(fieldsOf(pod))]] : [];
      }),
    ),
  };
}

const podUse = (pod: Fields): PodUse => ({
  ...usedBy(pod),
  rootBytes: rootOf(listOf(pod.containers)),
  volumes: new Map(
    listOf(pod.volume)
      .slice(0, MOST_VOLUMES)
      .map(fieldsOf)
      .flatMap(({ pvcRef, usedBytes, capacityBytes }) => {
        const { name } = fieldsOf(pvcRef);
        if (typeof name !== 'string') return [];
        return [[name, { usedBytes: amount(usedBytes), capacityBytes: amount(capacityBytes) }]];
      }),
  ),
});

/** The bytes that its containers have written outside of volumes; logs are not theirs. */
function rootOf(containers: readonly unknown[]): number | undefined {
  const each = containers.map((one) => amount(fieldsOf(fieldsOf(one).rootfs).usedBytes));
  if (each.length === 0 || each.includes(undefined)) return undefined;
  return amount(each.reduce<number>((all, one) => all + (one ?? 0), 0));
}

function usedBy(of: unknown): Used {
  const { cpu, memory } = fieldsOf(of);
  const nanoCores = amount(fieldsOf(cpu).usageNanoCores);
  const memoryBytes = amount(fieldsOf(memory).workingSetBytes);
  // Nothing runs in no memory: before a kubelet has measured a Pod, it says 0 of both.
  if (memoryBytes === 0) return {};
  return { cores: nanoCores === undefined ? undefined : nanoCores * NANO, memoryBytes };
}

type Fields = Readonly<Record<string, unknown>>;
const NONE: Fields = {};
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : NONE);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
