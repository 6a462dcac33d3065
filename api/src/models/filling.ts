// Has nodes filled with the files of deployments before a replica needs them there: it names the node in `status.weights.fills`, the
// operator makes a Pod there that takes the files in, and the node's agent keeps them and says so in a label.
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { sizesOf } from '@gantry/contract/kinds/model-deployment-view.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { type FillNode, type FillWish, planFills } from './fills.ts';

/** How far the Pod that takes the files in is. */
export type Filler = 'none' | 'unplaced' | 'placed' | 'over';

export interface FillingCluster {
  write(object: ModelDeployment, status: object): Promise<void>;
  /** The nodes that replicas of it may go to. */
  nodeCaches(object: ModelDeployment): readonly FillNode[];
  filler(object: ModelDeployment): Filler;
}

/** It serves, or would once somebody calls: what it starts next is another replica. */
const BEGINS: readonly (string | undefined)[] = ['active', 'sleeping'];
const ENDS: readonly (string | undefined)[] = ['finished', 'failed'];
const MOST_NODES_EACH = 8;
const EVERY_MS = 5_000;
/** The scheduler has found no room there. */
const PLACED_WITHIN_MS = 2 * 60_000;
const AT_LEAST_MS = 10 * 60_000;
const BYTES_PER_MS = 20_000;
const AGAIN_AFTER_MS = 60 * 60_000;
const MOST_GIVEN_UP = 1000;

export class Filling {
  readonly #cluster: FillingCluster;
  readonly #clock: Clock;
  /** By uid: where, and since when. */
  readonly #begun = new Map<string, { node: string; at: number }>();
  /** By uid and node: when it may be tried there again. */
  readonly #givenUp = new Map<string, number>();
  #next = 0;

  constructor({ cluster, clock }: { cluster: FillingCluster; clock: Clock }) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  async step(objects: readonly ModelDeployment[]): Promise<void> {
    const now = this.#clock.monotonic();
    if (now < this.#next) return;
    this.#next = now + EVERY_MS;
    const wishes = objects.map((object) => this.#wishOf(object, now));
    const chosen = planFills(wishes, (uid, node) => (this.#givenUp.get(`${uid} ${node}`) ?? now) > now);
    for (const [at, object] of objects.entries()) {
      const { uid = '', filling } = wishes[at] ?? {};
      const node = chosen.get(uid);
      if (node === undefined) this.#begun.delete(uid);
      else if (this.#begun.get(uid)?.node !== node) this.#begun.set(uid, { node, at: now });
      if (node !== filling) await this.#cluster.write(object, { weights: { fills: node ?? null } });
    }
  }

  #wishOf(object: ModelDeployment, now: number): FillWish {
    const { metadata, status } = object;
    const { uid = '', namespace = '' } = metadata;
    const { fills: filling, sizeBytes: bytes = 0 } = status?.weights ?? {};
    const nodes = status?.weights === undefined ? [] : this.#cluster.nodeCaches(object);
    if (filling !== undefined && !nodes.some(({ name, has }) => name === filling && has))
      this.#watch(object, { uid, node: filling, bytes }, now);
    return { uid, organization: organizationOf(namespace) ?? '', bytes, wanted: wantedNodes(object), filling, nodes };
  }

  /** Gives up what does not get on. */
  #watch(object: ModelDeployment, { uid, node, bytes }: { uid: string; node: string; bytes: number }, now: number) {
    const begun = this.#begun.get(uid);
    // Another gateway has begun it.
    if (begun?.node !== node) this.#begun.set(uid, { node, at: now });
    const age = now - (begun?.node === node ? begun.at : now);
    const filler = this.#cluster.filler(object);
    const limitMs = filler === 'placed' ? AT_LEAST_MS + bytes / BYTES_PER_MS : PLACED_WITHIN_MS;
    if (filler !== 'over' && age < limitMs) return;
    if (this.#givenUp.size > MOST_GIVEN_UP) this.#givenUp.clear();
    this.#givenUp.set(`${uid} ${node}`, now + AGAIN_AFTER_MS);
  }
}

/** On how many nodes its replicas may be at once. */
function wantedNodes(object: ModelDeployment): number {
  const { metadata, spec, status } = object;
  const { phase, weights } = status ?? {};
  const mayGoOn = weights?.fills !== undefined && !ENDS.includes(phase);
  if (metadata.deletionTimestamp !== undefined || spec.power === 'Stopped') return 0;
  if (!BEGINS.includes(phase) && !mayGoOn) return 0;
  const replicas = spec.autoscaling?.max ?? spec.replicas;
  return Math.min(replicas * sizesOf(object).nodes, MOST_NODES_EACH);
}
