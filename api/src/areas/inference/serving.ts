// The models that answer: each deployment as the cluster shows it, with its workers, what waits for them and what is under way.
import type { Engine, ModelTask } from '@gantry/contract/models/engines.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { Meter } from '../../platform/relay/meter.ts';
import { isPodAddress, Upstream, type WayTo } from '../../platform/relay/upstream.ts';
import { Waiting, WaitingBytes } from '../../platform/relay/waiting.ts';
import type { AdaptersBy } from './asked.ts';
import { Beginnings } from './beginnings.ts';

/** `serves`: by a ready worker. `waits`: one will be ready. The others answer at once. */
export type ModelStand = 'serves' | 'waits' | 'stopped' | 'unpaid' | 'failing';

export interface WorkerFacts {
  name: string;
  podIP?: string | undefined;
  phase: string;
  /** Those that it was started with, where these are known: while a deployment changes, they differ from worker to worker. */
  adapters?: readonly string[] | undefined;
}

/** A deployment, as far as requests are concerned. */
export interface ModelFacts {
  uid: string;
  name: string;
  namespace: string;
  organization: string;
  /** What its people call it; its name where absent. */
  displayName?: string | undefined;
  /** The name by which its price is looked up. */
  priced: string;
  engine: Engine;
  task: ModelTask;
  /** Served beside the model itself, each under its own name. */
  adapters: readonly string[];
  /** How the engine is told which of them answers. */
  adaptersBy: AdaptersBy;
  /** Prompt and completion together; undefined where nobody knows it. */
  contextTokens: number | undefined;
  port: number;
  workers: readonly WorkerFacts[];
  stand: ModelStand;
  /** It takes a write to get a first worker. */
  isAsleep: boolean;
  wake: { requests: number; seconds: number };
  createdAt: number;
  /** How many of a hundred answers are collected, and under which name. */
  reflow?: { percent: number; dataset: string } | undefined;
}

export interface Model {
  facts: ModelFacts;
  readonly upstream: Upstream;
  readonly waiting: Waiting;
  readonly beginnings: Beginnings;
  /** For autoscaling, and for statistics. */
  readonly meter: Meter;
  underWay: number;
  /** Streams without an event that has content, and other requests until they are answered. */
  silent: number;
  /** How many tokens it has lately read for each one that we had estimated. */
  tokensOfAnEstimate: number;
  /** How many it has lately generated for each answer; undefined: it has answered nothing. */
  tokensOfAnAnswer: number | undefined;
  /** When the log said that its engine's counts are not believed, in monotonic milliseconds. */
  disbelievedAt: number;
  /** When it was asked for its first worker, in monotonic milliseconds. */
  wokenAt: number;
}

export interface ModelsParts {
  clock: Clock;
  wayTo?: WayTo | undefined;
  isAddress?: ((ip: string) => boolean) | undefined;
}

export class Models {
  readonly #parts: ModelsParts;
  readonly #byName = new Map<string, Model>();
  readonly #waitingBytes = new WaitingBytes();

  constructor(parts: ModelsParts) {
    this.#parts = parts;
  }

  get all(): Iterable<Model> {
    return this.#byName.values();
  }

  get(organization: string, name: string): Model | undefined {
    return this.#byName.get(`${organization}/${name}`);
  }

  /** All of one organisation, by name. */
  of(organization: string): Model[] {
    return [...this.#byName.values()]
      .filter(({ facts }) => facts.organization === organization)
      .sort((a, b) => a.facts.name.localeCompare(b.facts.name));
  }

  /** Takes in a state of one. Whoever waits goes on, or is told why not. */
  show(facts: ModelFacts): void {
    const key = `${facts.organization}/${facts.name}`;
    let model = this.#byName.get(key);
    if (model && model.facts.uid !== facts.uid) {
      this.#forget(key, model);
      model = undefined;
    }
    if (!model) {
      const { clock, wayTo, isAddress = isPodAddress } = this.#parts;
      model = {
        facts,
        upstream: new Upstream({ namespace: facts.namespace, wayTo, isAddress, clock }),
        waiting: new Waiting(this.#waitingBytes, (ms, run) => clock.after(ms, run)),
        beginnings: new Beginnings(),
        meter: new Meter(),
        underWay: 0,
        silent: 0,
        tokensOfAnEstimate: 1,
        tokensOfAnAnswer: undefined,
        disbelievedAt: Number.NEGATIVE_INFINITY,
        wokenAt: Number.NEGATIVE_INFINITY,
      };
      this.#byName.set(key, model);
    }
    model.upstream.update(facts.workers as Parameters<Upstream['update']>[0], facts.port);
    const { replicas } = model.upstream;
    model.facts = { ...facts, stand: replicas.length > 0 && facts.stand === 'waits' ? 'serves' : facts.stand };
    if (replicas.length === 0 && facts.stand === 'serves') model.facts.stand = 'waits';
    model.beginnings.keepOnly(new Set(replicas.map(({ pod }) => pod)));
    if (model.facts.stand === 'waits') return;
    model.wokenAt = Number.NEGATIVE_INFINITY;
    model.waiting.release(({ go }) => go());
  }

  /** It is gone. */
  drop(organization: string, name: string): void {
    const key = `${organization}/${name}`;
    const model = this.#byName.get(key);
    if (model) this.#forget(key, model);
  }

  stop(): void {
    for (const { upstream } of this.#byName.values()) upstream.close();
  }

  #forget(key: string, model: Model): void {
    this.#byName.delete(key);
    model.facts = { ...model.facts, stand: 'stopped' };
    model.upstream.update([], model.facts.port);
    model.waiting.release(({ go }) => go());
  }
}
