// Requirements of every node: containerd with overlayfs, a limit of processes, a clock, a way to the registry.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { type Found, namesIn } from '@gantry/contract/doctor.ts';
import { MOST_PROCESSES } from '@gantry/contract/kinds/instance-limits.ts';
import { KUBELET_CONFIGURATION } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import type { Resource } from '@gantry/kube/resource.ts';
import { type Around, CannotTell, type Check, found } from '../check.ts';
import type { ProbedNode } from '../node-probes.ts';

const SECOND = 1000;
/** Longer than the throw-away Pods of nodes have. */
const PROBED_MS = 90 * SECOND;
/** The first with which saving what containers changed was tried. */
const LEAST_CONTAINERD = [1, 6] as const;

async function someNodes(around: Pick<Around, 'nodes'>): Promise<readonly Node[]> {
  const nodes = await around.nodes();
  if (nodes.length === 0) throw new CannotTell('noNodes');
  return nodes;
}

async function someProbes(around: Pick<Around, 'nodes' | 'probedNodes'>): Promise<readonly ProbedNode[]> {
  await someNodes(around);
  return around.probedNodes();
}

export const containerRuntime: Check = {
  id: 'containerRuntime',
  limitMs: 15 * SECOND,
  async look(around) {
    const by: Record<'runtimeFits' | 'runtimeOld' | 'runtimeOther', Map<string, string>> = {
      runtimeFits: new Map(),
      runtimeOld: new Map(),
      runtimeOther: new Map(),
    };
    for (const { metadata, status } of await someNodes(around)) {
      const version = status?.nodeInfo?.containerRuntimeVersion ?? '';
      by[runtimeIs(version)].set(metadata.name, version || '–');
    }
    return (Object.entries(by) as [keyof typeof by, Map<string, string>][]).flatMap(([reason, nodes]) => {
      if (nodes.size === 0) return [];
      const [names, versions] = [namesIn([...nodes.keys()]), namesIn([...new Set(nodes.values())])];
      return [found(reason, { names, versions, least: LEAST_CONTAINERD.join('.') })];
    });
  },
};

function runtimeIs(version: string): 'runtimeFits' | 'runtimeOld' | 'runtimeOther' {
  const [, major, minor] = /^containerd:\/\/v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return 'runtimeOther';
  const [leastMajor, leastMinor] = LEAST_CONTAINERD;
  const isOld = Number(major) < leastMajor || (Number(major) === leastMajor && Number(minor) < leastMinor);
  return isOld ? 'runtimeOld' : 'runtimeFits';
}

export const snapshotter: Check = {
  id: 'snapshotter',
  limitMs: PROBED_MS,
  async look(around) {
    const probes = await someProbes(around);
    const others = probes.flatMap(({ node, root }): Found[] => {
      if (!root) return [];
      if (root.type === '') return [found('rootUnread', { name: node })];
      return root.type === 'overlay' ? [] : [found('snapshotterOther', { name: node, type: root.type })];
    });
    const fitting = probes.flatMap(({ root }) => (root?.type === 'overlay' ? [snapshotterIn(root.upper)] : []));
    const silent = probes.filter(({ root }) => root === undefined).map(({ node }) => node);
    return [
      ...(fitting.length > 0 ? [found('snapshotterFits', { names: namesIn([...new Set(fitting)]) })] : []),
      ...others,
      ...(silent.length > 0 ? [found('failed', { why: silentWhy(probes) })] : []),
    ];
  },
};

/** `/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/1/fs` → `overlayfs` */
const snapshotterIn = (upper: string): string =>
  /io\.containerd\.snapshotter\.v1\.([a-z0-9-]+)\//.exec(upper)?.[1] ?? 'overlay';

const silentWhy = (probes: readonly ProbedNode[]): string =>
  namesIn(probes.filter(({ root }) => root === undefined).map(({ node, why }) => `${node}: ${why.slice(0, 160)}`));

export const registry: Check = {
  id: 'registry',
  limitMs: PROBED_MS,
  async look(around) {
    const probes = await someProbes(around);
    const image = around.probeImage;
    const pulled = probes.filter(({ pull }) => pull === 'done');
    const untried = probes.filter(({ pull }) => pull === 'unknown').map(({ node }) => node);
    return [
      ...(pulled.length > 0 ? [found('registryReached', { count: `${pulled.length}`, image })] : []),
      ...probes.flatMap(({ node, pull, why }) =>
        pull === 'failed' ? [found('registryUnreached', { name: node, image, why: why.slice(0, 300) })] : [],
      ),
      ...(untried.length > 0 ? [found('nodesUntried', { names: namesIn(untried) })] : []),
    ];
  },
};

export const pidsLimit: Check = {
  id: 'pidsLimit',
  limitMs: 30 * SECOND,
  async look(around) {
    const nodes = await someNodes(around);
    const limits = await Promise.all(
      nodes.map(async ({ metadata: { name } }) => {
        const path = `/api/v1/nodes/${encodeURIComponent(name)}/proxy${KUBELET_CONFIGURATION}`;
        const { kubeletconfig } = await around.client.raw<{ kubeletconfig?: { podPidsLimit?: number } }>(path);
        return { name, limit: Number(kubeletconfig?.podPidsLimit ?? -1) };
      }),
    );
    const most = `${MOST_PROCESSES}`;
    const named = (is: (limit: number) => boolean) => limits.filter(({ limit }) => is(limit)).map(({ name }) => name);
    const unlimited = named((limit) => limit <= 0);
    const high = named((limit) => limit > MOST_PROCESSES);
    return [
      ...(unlimited.length > 0 ? [found('pidsUnlimited', { names: namesIn(unlimited), most })] : []),
      ...(high.length > 0 ? [found('pidsHigh', { names: namesIn(high), most })] : []),
      ...(unlimited.length + high.length === 0
        ? [found('pidsLimited', { most: `${Math.max(...limits.map(({ limit }) => limit))}` })]
        : []),
    ];
  },
};

const NODE_LEASE: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
  namespace: 'kube-node-lease',
};

interface Lease extends KubeObject {
  metadata: KubeObject['metadata'] & { managedFields?: readonly { time?: string; fieldsV1?: object }[] };
  spec?: { renewTime?: string };
}
/** The server stores whole seconds, and a renewal takes a moment to reach it. */
const FINE_S = 3;
const FAR_S = 30;

export const clocks: Check = {
  id: 'clocks',
  limitMs: 15 * SECOND,
  async look(around) {
    const nodes = new Set((await someNodes(around)).map(({ metadata }) => metadata.name));
    const leases = (await around.client.list(NODE_LEASE, {})).items as Lease[];
    const known = leases.flatMap((lease) => {
      const seconds = nodes.has(lease.metadata.name) ? secondsOff(lease) : undefined;
      return seconds === undefined ? [] : [{ name: lease.metadata.name, seconds }];
    });
    const off = known.filter(({ seconds }) => Math.abs(seconds) > FINE_S);
    const silent = [...nodes].filter((name) => !known.some((one) => one.name === name));
    return [
      ...off.map(({ name, seconds }) =>
        found(Math.abs(seconds) > FAR_S ? 'clocksFarOff' : 'clocksOff', { name, seconds: `${Math.round(seconds)}` }),
      ),
      ...(silent.length > 0 ? [found('clocksSilent', { names: namesIn(silent) })] : []),
      ...(off.length === 0 && known.length > 0
        ? [found('clocksAgree', { count: `${known.length}`, seconds: `${FINE_S}` })]
        : []),
    ];
  },
};

/** The kubelet writes the time that it sees; the server notes when it stored that. */
function secondsOff({ metadata, spec }: Lease): number | undefined {
  const stored = (metadata.managedFields ?? [])
    .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1 ?? {}).includes('f:renewTime'))
    .map(({ time }) => Date.parse(time ?? ''));
  const seconds = (Date.parse(spec?.renewTime ?? '') - Math.max(...stored)) / 1000;
  return Number.isFinite(seconds) ? seconds : undefined;
}
