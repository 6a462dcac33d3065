// One object of a story, of any kind: its states, and what is wished for it.
import type { CommonStatus, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { mustCallApi } from '../../hack/api-call.ts';
import { Following } from './following.ts';
import type { Stage } from './stage.ts';

const PATIENCE_MS = 120_000;

interface Observed extends KubeObject {
  spec: object;
  status?: CommonStatus;
}
type With<T extends Observed> = T & { readonly status: NonNullable<T['status']> };

/** The objects of one kind, over all organisations. */
export class Tracker<T extends Observed> {
  readonly following: Following<T>;
  readonly stage: Stage;
  readonly #facts: KindFacts;

  private constructor(stage: Stage, facts: KindFacts, following: Following<T>) {
    this.stage = stage;
    this.#facts = facts;
    this.following = following;
  }

  static async start<T extends Observed>(stage: Stage, facts: KindFacts): Promise<Tracker<T>> {
    const path = `/apis/gantry.dev/v1alpha1/${facts.plural}`;
    return new Tracker(stage, facts, await Following.start<T>(stage.cluster, path));
  }

  stop(): void {
    this.following.stop();
  }

  /** Made by the platform's staff. */
  async make(namespace: string, name: string, spec: object): Promise<Tracked<T>> {
    const one = this.known(namespace, name);
    const { kind } = this.#facts;
    const body = { apiVersion: 'gantry.dev/v1alpha1', kind, metadata: { name, namespace }, spec };
    await mustCallApi(this.stage.cluster, { method: 'POST', path: this.pathOf(namespace), body });
    return one;
  }

  /** One that somebody else makes. */
  known(namespace: string, name: string): Tracked<T> {
    return new Tracked(this, namespace, name);
  }

  pathOf(namespace: string): string {
    return `/apis/gantry.dev/v1alpha1/namespaces/${namespace}/${this.#facts.plural}`;
  }
}

export class Tracked<T extends Observed> {
  readonly namespace: string;
  readonly name: string;
  readonly #tracker: Tracker<T>;
  /** The index of the last reached state among the recorded ones. */
  #at = 0;
  /** The generation of the last change: an older status says nothing about it. */
  #generation = 0;

  constructor(tracker: Tracker<T>, namespace: string, name: string) {
    this.#tracker = tracker;
    this.namespace = namespace;
    this.name = name;
  }

  get states(): readonly T[] {
    return this.#tracker.following.states(this.namespace, this.name).map(({ object }) => object);
  }

  /** As it was seen last, gone or not. */
  get last(): With<T> {
    const object = this.states.at(-1);
    if (!object) throw new Error(`${this.name} was never seen`);
    return object as With<T>;
  }

  /** Everything it went through, repeats left out. */
  get phases(): readonly (string | undefined)[] {
    const all = this.states.map(({ status }) => status?.phase);
    return all.filter((phase, index) => phase !== undefined && phase !== all[index - 1]);
  }

  /** The next state in which it has this phase, counted from the last one reached; the latest wish is known in it. */
  reaches(phase: string, limitMs = PATIENCE_MS): Promise<With<T>> {
    return this.becomes(phase, ({ status }) => status.phase === phase, limitMs);
  }

  /** As `reaches`, for anything a state can show. */
  becomes(what: string, is: (seen: With<T>) => boolean, limitMs = PATIENCE_MS): Promise<With<T>> {
    const story = () =>
      `${this.name} is ${what}; it went ${this.phases.join(' → ')}; ${this.states.at(-1)?.status?.message}`;
    const look = () => {
      const { states } = this;
      for (let at = this.#at; at < states.length; at++) {
        const seen = states[at] as With<T>;
        const { generation = 0 } = seen.metadata;
        if (generation < this.#generation || seen.status?.observedGeneration !== generation || !is(seen)) continue;
        this.#at = at;
        return seen;
      }
      return undefined;
    };
    return this.#tracker.following.until(story, look, limitMs);
  }

  async isGone(limitMs = PATIENCE_MS): Promise<void> {
    const look = () => this.#tracker.following.states(this.namespace, this.name).at(-1)?.isLast || undefined;
    await this.#tracker.following.until(
      () => `${this.name} is gone; it went ${this.phases.join(' → ')}`,
      look,
      limitMs,
    );
  }

  /** Changes the spec. */
  async wish(spec: object): Promise<void> {
    const path = `${this.#tracker.pathOf(this.namespace)}/${this.name}`;
    const call = { method: 'PATCH', path, contentType: 'application/merge-patch+json', body: { spec } } as const;
    const answer: T = JSON.parse((await mustCallApi(this.#tracker.stage.cluster, call)).body);
    this.#generation = answer.metadata.generation ?? 0;
  }

  async release(): Promise<void> {
    const path = `${this.#tracker.pathOf(this.namespace)}/${this.name}`;
    await mustCallApi(this.#tracker.stage.cluster, { method: 'DELETE', path });
  }
}
