// Tasks of a kind, joined with the cluster: their objects, and the Pods of their runs.
import { Agent } from 'node:http';
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { TASK_PORT } from '@gantry/contract/kinds/data-task.ts';
import { RECEIVER_PORT } from '@gantry/contract/models/engines.ts';
import { LABEL, organizationOf } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import type { Config } from '../../platform/config.ts';
import { POD } from '../../platform/kube/resources.ts';
import { unlessChanged } from '../../platform/kube/unless-changed.ts';
import { Agents, isAgentBusy } from '../../platform/pods/agents.ts';
import type { Way } from '../../platform/pods/call-pod.ts';
import { podAgent } from '../../platform/pods/pod-stream.ts';
import { isPodAddress } from '../../platform/relay/upstream.ts';
import type { Receiver } from '../files/deliver.ts';
import type { Cluster } from '../kinds/open-cluster.ts';
import type { DataTask } from './present-run.ts';

/** A Pod of a run. */
export interface RunPod {
  name: string;
  ip: string;
  phase: 'Pending' | 'Running';
  /** Of several workers its rank: the first one speaks for all. */
  index: number;
}

export interface RunCluster<T extends DataTask> {
  list(): readonly T[];
  /** All there are: what is not listed is gone. */
  isWhole(): boolean;
  /** With the resourceVersion of the object: it is refused where somebody has changed it. */
  write(object: T, status: object): Promise<void>;
  /** The Pods of that run that are there. */
  pods(object: T, run: number): readonly RunPod[];
  /** Of each run of the kind the Pod that speaks for all, by `speaksFor`; also one that is about to end. */
  speakers(): ReadonlyMap<string, RunPod>;
  receiver(object: T, pod: RunPod): Receiver;
  /** To the agent in it, which knows the token by its digest. */
  way(object: T, pod: RunPod, token: string): Way;
}

/** As batch/v1 numbers the Pods of an indexed Job: as a label, since the cache keeps no annotations. */
const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';
/** Agents to Pods that nobody asks any more go when there are more. */
const MOST_AGENTS = 256;

/** The key of a run among the speakers. */
export const speaksFor = ({ metadata: { namespace, name } }: KubeObject, run: number | string): string =>
  `${namespace} ${name} ${run}`;

/** Stop it afterwards. */
export function runCluster<T extends DataTask>(
  facts: KindFacts,
  { serviceNetwork }: Pick<Config, 'serviceNetwork'>,
  { client, cache }: Pick<Cluster, 'client' | 'cache'>,
): RunCluster<T> & { stop(): void } {
  const resource = resourceOf(facts);
  const agents = new Agents(MOST_AGENTS, isAgentBusy);
  // Node's own would use the proxy for calls that leave the installation.
  const inside = new Agent({ keepAlive: true });
  const straight = (pod: RunPod, port: number) => ({ host: pod.ip, port, agent: inside });
  const to = ({ metadata: { namespace = '' } }: T, pod: RunPod, port: number) => ({
    port,
    agent: agents.of(`${namespace}/${pod.name} ${port}`, () => podAgent(client, { namespace, pod: pod.name }, port)),
  });
  const reach = serviceNetwork === 'proxy' ? to : (_: T, pod: RunPod, port: number) => straight(pod, port);
  return {
    list: () => cache.list<T>(facts),
    isWhole: () => cache.synced,
    async write(object, status) {
      const { resourceVersion } = object.metadata;
      const patch = { ...targetOf(object), ...(resourceVersion && { resourceVersion }), body: { status } };
      // Somebody has changed it: the next look sees that.
      await unlessChanged(client.mergePatch(resource, patch, 'status').then((written) => cache.observe(written)));
    },
    pods({ metadata: { namespace = '', name } }, run) {
      return (cache.reader.list(POD, namespace) as readonly Pod[]).flatMap((pod) => {
        const { labels = {}, deletionTimestamp } = pod.metadata;
        const isOf = labels[LABEL.name] === name && labels[LABEL.run] === `${run}`;
        return isOf && deletionTimestamp === undefined ? (runPod(facts, pod) ?? []) : [];
      });
    },
    speakers() {
      const found = new Map<string, RunPod>();
      for (const pod of cache.reader.list(POD) as readonly Pod[]) {
        const { namespace, labels = {}, deletionTimestamp } = pod.metadata;
        const one = runPod(facts, pod);
        const key = speaksFor(
          { metadata: { namespace, name: labels[LABEL.name] } } as KubeObject,
          labels[LABEL.run] ?? '',
        );
        // One that takes the place of another is there before the other has ended.
        if (one?.index === 0 && !(deletionTimestamp !== undefined && found.has(key))) found.set(key, one);
      }
      return found;
    },
    receiver: (object, pod) => reach(object, pod, RECEIVER_PORT),
    way: (object, pod, token) => ({
      ...reach(object, pod, TASK_PORT),
      ...{ id: organizationOf(object.metadata.namespace ?? '') ?? '', token },
    }),
    stop() {
      agents.stop();
      inside.destroy();
    },
  };
}

/** Undefined where it is no Pod of the kind's runs, has ended, or has no address yet. */
function runPod(facts: KindFacts, { metadata: { name, labels = {} }, status }: Pod): RunPod | undefined {
  const { podIP, phase } = status ?? {};
  const isThere = phase === 'Pending' || phase === 'Running';
  if (labels[LABEL.kind] !== facts.kind || !isThere || podIP === undefined || !isPodAddress(podIP)) return undefined;
  return { name, ip: podIP, phase, index: Number(labels[COMPLETION_INDEX] ?? 0) };
}
