// Which nodes a deployment's files could be brought to before a replica needs them there, and what each has. Pure over the caches.
import { GI } from '@gantry/contract/fields/quantity.ts';
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { LABEL, organizationOf, WEIGHTS_ROOM, WEIGHTS_SUFFIX } from '@gantry/contract/names.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { isApart, POD } from '../../platform/kube/resources.ts';
import { hasFiles, suitedNodes } from './cached-models.ts';

/** A node's state regarding a deployment's files. */
export interface NodeCache {
  name: string;
  /** It has the files in question, or gets them with a replica that is there. */
  has: boolean;
  /** The number of the organisation's lists of files. */
  lists: number;
  /** Into which more fits without anything going. */
  roomBytes: number;
}

/** The nodes that its replicas may go to now: not those that serve another organisation alone. */
export function nodeCaches(caches: CacheReader, object: ModelDeployment, pool: PoolRules): NodeCache[] {
  const { namespace = '', name: deployment } = object.metadata;
  const organization = organizationOf(namespace) ?? '';
  const digest = object.status?.weights?.digest ?? '';
  const { serving, apart } = podsOn(caches);
  return suitedNodes(caches, object, pool)
    .filter(({ metadata }) => [...(apart.get(metadata.name) ?? [])].every((one) => one === namespace))
    .map((node) => {
      const { name } = node.metadata;
      const { lists, roomBytes } = saidBy(node);
      const isServed = serving.get(name)?.has(`${namespace}/${deployment}`) ?? false;
      return {
        name,
        has: isServed || hasFiles(node, organization, digest),
        lists: lists.get(organization) ?? 0,
        roomBytes,
      };
    });
}

/** By node. */
interface PodsOn {
  /** Deployments that have a replica there, as `<namespace>/<name>`. */
  serving: ReadonlyMap<string, ReadonlySet<string>>;
  /** Namespaces whose Pods keep others' off. */
  apart: ReadonlyMap<string, ReadonlySet<string>>;
}
const known = new WeakMap<CacheReader, PodsOn & { at: number }>();

/** Looked through once per state of the cache, however many deployments ask. */
function podsOn(caches: CacheReader): PodsOn {
  const at = caches.version(POD);
  const before = known.get(caches);
  if (before?.at === at) return before;
  const serving = new Map<string, Set<string>>();
  const apart = new Map<string, Set<string>>();
  for (const pod of caches.list(POD) as readonly Pod[]) {
    const { namespace = '', labels } = pod.metadata;
    const node = pod.spec?.nodeName;
    if (node === undefined || isTerminal(pod)) continue;
    const deployment = labels?.[LABEL.modelDeployment];
    if (deployment !== undefined) add(serving, node, `${namespace}/${deployment}`);
    if (isApart(pod)) add(apart, node, namespace);
  }
  const found = { serving, apart, at };
  known.set(caches, found);
  return found;
}

const add = (to: Map<string, Set<string>>, node: string, one: string) =>
  to.set(node, (to.get(node) ?? new Set()).add(one));

interface Said {
  /** By organisation: how many lists of files. */
  lists: ReadonlyMap<string, number>;
  roomBytes: number;
}
/** Caches never change an object: they replace it. */
const said = new WeakMap<Node, Said>();

function saidBy(node: Node): Said {
  const before = said.get(node);
  if (before) return before;
  const { labels = {} } = node.metadata;
  const lists = new Map<string, number>();
  for (const label of Object.keys(labels)) {
    const end = label === WEIGHTS_ROOM ? -1 : label.indexOf(WEIGHTS_SUFFIX);
    const organization = label.slice(0, Math.max(0, end));
    if (end > 0) lists.set(organization, (lists.get(organization) ?? 0) + 1);
  }
  const roomGi = Number(labels[WEIGHTS_ROOM]);
  const found = { lists, roomBytes: Number.isFinite(roomGi) ? roomGi * GI : 0 };
  said.set(node, found);
  return found;
}
