// The use of the platform's containers, from the kubelets' reports: the figures behind the chart's requests.

/** The use of one container, as a kubelet's summary has it. */
export interface Sample {
  readonly pod: string;
  readonly container: string;
  /** Since the container's start. */
  readonly cpuNanoseconds: number;
  readonly memoryBytes: number;
  readonly atMs: number;
}

export interface Usage {
  readonly container: string;
  /** Pods that have such a container. */
  readonly pods: number;
  /** Mean, of the busiest Pod. */
  readonly cpuMillicores: number;
  /** Most, of the largest Pod. */
  readonly memoryMi: number;
}

interface Summary {
  readonly pods: readonly {
    readonly podRef: { readonly name: string; readonly namespace: string };
    readonly containers?: readonly {
      readonly name: string;
      readonly cpu?: { readonly time: string; readonly usageCoreNanoSeconds?: number };
      readonly memory?: { readonly workingSetBytes?: number };
    }[];
  }[];
}

const MI = 1024 ** 2;
const NANOSECONDS_PER_MS = 1e6;

/** Those of a namespace; containers that the kubelet has not measured yet are left out. */
export const samplesOf = ({ pods }: Summary, namespace: string): Sample[] =>
  pods
    .filter(({ podRef }) => podRef.namespace === namespace)
    .flatMap(({ podRef, containers = [] }) =>
      containers.flatMap(({ name, cpu, memory }): Sample[] => {
        const { time = '', usageCoreNanoSeconds: cpuNanoseconds } = cpu ?? {};
        const { workingSetBytes: memoryBytes } = memory ?? {};
        if (cpuNanoseconds === undefined || memoryBytes === undefined) return [];
        return [{ pod: podRef.name, container: name, cpuNanoseconds, memoryBytes, atMs: Date.parse(time) }];
      }),
    );

/** By container; of Pods that were sampled twice or more. */
export function usageOf(samples: readonly Sample[]): Usage[] {
  const ofPods = Object.values(Object.groupBy(samples, ({ pod, container }) => `${pod}/${container}`)).flatMap(
    (all = []) => {
      const [first, last] = [all[0], all.at(-1)];
      if (!first || !last || last.atMs <= first.atMs) return [];
      const busyMs = (last.cpuNanoseconds - first.cpuNanoseconds) / NANOSECONDS_PER_MS;
      const memory = Math.max(...all.map(({ memoryBytes }) => memoryBytes));
      return [{ container: first.container, cpu: (busyMs / (last.atMs - first.atMs)) * 1000, memory }];
    },
  );
  return Object.entries(Object.groupBy(ofPods, ({ container }) => container))
    .map(([container, pods = []]) => ({
      container,
      pods: pods.length,
      cpuMillicores: Math.ceil(Math.max(...pods.map(({ cpu }) => cpu))),
      memoryMi: Math.ceil(Math.max(...pods.map(({ memory }) => memory)) / MI),
    }))
    .toSorted((a, b) => b.memoryMi - a.memoryMi);
}
