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

export interface FillingParts {
  cluster: FillingCluster;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
}

export class Filling {
  readonly #parts: FillingParts;
  /** By deployment and files: where, and since when. */
  readonly #begun = new Map<string, { node: string; at: number }>();
  /** By deployment and files, then by node: when it may be tried there again. */
  readonly #givenUp = new Map<string, Map<string, number>>();
  /** By organisation: when it last had one. */
  readonly #had = new Map<string, number>();
  #next = 0;

  constructor(parts: FillingParts) {
    this.#parts = parts;
  }

  async step(objects: readonly ModelDeployment[]): Promise<void> {
    const now = this.#parts.clock.monotonic();
    if (now < this.#next) return;
    this.#next = now + EVERY_MS;
    const wished = objects.map((object) => ({ object, wish: this.#wishOf(object, now) }));
    const wishes = wished.map(({ wish }) => wish);
    this.#forget(wishes, now);
    const chosen = planFills(
      wishes.toSorted((a, b) => this.#lastHad(a) - this.#lastHad(b)),
      (key, node) => (this.#givenUp.get(key)?.get(node) ?? now) > now,
    );
    for (const { object, wish } of wished) {
      const { key, organization, filling } = wish;
      const node = chosen.get(key);
      if (node === undefined) this.#begun.delete(key);
      else if (this.#begun.get(key)?.node !== node) this.#begun.set(key, { node, at: now });
      if (node !== undefined) this.#had.set(organization, now);
      if (node !== filling) await this.#write(object, node);
    }
  }

  readonly #lastHad = ({ organization }: FillWish): number => this.#had.get(organization) ?? -1;

  async #write(object: ModelDeployment, node: string | undefined): Promise<void> {
    const { cluster, log } = this.#parts;
    try {
      await cluster.write(object, { weights: { fills: node ?? null } });
    } catch (error) {
      const deployment = `${object.metadata.namespace}/${object.metadata.name}`;
      log.warn({ err: error, deployment }, 'which node is filled with a model was not written');
    }
  }

  /** Forgets wishes that are gone, and nodes whose time of being given up is over. */
  #forget(wishes: readonly FillWish[], now: number): void {
    const keys = new Set(wishes.map(({ key }) => key));
    const organizations = new Set(wishes.map(({ organization }) => organization));
    for (const known of [this.#begun, this.#givenUp])
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    for (const nodes of this.#givenUp.values()) for (const [node, until] of nodes) if (until <= now) nodes.delete(node);
    for (const one of this.#had.keys()) if (!organizations.has(one)) this.#had.delete(one);
  }

  #wishOf(object: ModelDeployment, now: number): FillWish {
    const { metadata, status } = object;
    const { uid = '', namespace = '' } = metadata;
    const { fills: filling, sizeBytes: bytes = 0, digest = '' } = status?.weights ?? {};
    const key = `${uid} ${digest}`;
    const wanted = status?.weights === undefined ? 0 : wantedNodes(object);
    const nodes = wanted === 0 ? [] : this.#parts.cluster.nodeCaches(object);
    if (wanted > 0 && filling !== undefined && !nodes.some(({ name, has }) => name === filling && has))
      this.#watch(object, { key, node: filling, bytes }, now);
    return { key, organization: organizationOf(namespace) ?? '', bytes, wanted, filling, nodes };
  }

  /** Gives up what does not get on. */
  #watch(object: ModelDeployment, { key, node, bytes }: { key: string; node: string; bytes: number }, now: number) {
    const begun = this.#begun.get(key);
    // Another gateway has begun it.
    if (begun?.node !== node) this.#begun.set(key, { node, at: now });
    const age = now - (begun?.node === node ? begun.at : now);
    const filler = this.#parts.cluster.filler(object);
    const limitMs = filler === 'placed' ? AT_LEAST_MS + bytes / BYTES_PER_MS : PLACED_WITHIN_MS;
    if (filler !== 'over' && age < limitMs) return;
    const nodes = this.#givenUp.get(key) ?? new Map<string, number>();
    this.#givenUp.set(key, nodes.set(node, now + AGAIN_AFTER_MS));
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
