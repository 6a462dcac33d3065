// One GpuInstance of a story: its spec, its states, and commands inside its container.
import type {
  GpuInstance,
  GpuInstancePhase,
  GpuInstanceSpec,
  GpuInstanceStatus,
} from '@gantry/contract/kinds/gpu-instance.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { mustCallApi } from '../../hack/api-call.ts';
import type { Kubectl } from '../support/kubectl.ts';
import type { Following } from './following.ts';
import type { Stage } from './stage.ts';

/** A start with a save before it, on a busy machine. */
const PATIENCE_MS = 120_000;
export const INSTANCES = '/apis/gantry.dev/v1alpha1/gpuinstances';

export type Seen = GpuInstance & { readonly status: GpuInstanceStatus };

export class Instance {
  readonly namespace: string;
  readonly name: string;
  readonly #stage: Stage;
  readonly #following: Following<GpuInstance>;
  /** The index of the last reached state among the recorded ones. */
  #at = 0;
  /** The generation of the last change: an older status says nothing about it. */
  #generation = 0;

  constructor(stage: Stage, namespace: string, name: string) {
    this.#stage = stage;
    this.#following = stage.instances;
    this.namespace = namespace;
    this.name = name;
  }

  get path(): string {
    return `/apis/gantry.dev/v1alpha1/namespaces/${this.namespace}/gpuinstances/${this.name}`;
  }

  /** As it is now. */
  get now(): GpuInstance {
    const object = this.#following.latest(this.namespace, this.name);
    if (!object) throw new Error(`${this.name} is not there`);
    return object;
  }

  /** As it was seen last, gone or not. */
  get last(): Seen {
    const object = this.#states.at(-1)?.object;
    if (!object) throw new Error(`${this.name} was never seen`);
    return object as Seen;
  }

  /** The latest generation. */
  get generation(): number {
    return Math.max(this.#generation, this.now.metadata.generation ?? 0);
  }

  /** Everything it went through, repeats left out. */
  get phases(): readonly (GpuInstancePhase | undefined)[] {
    const all = this.#states.map(({ object }) => object.status?.phase as GpuInstancePhase | undefined);
    return all.filter((phase, index) => phase !== undefined && phase !== all[index - 1]);
  }

  /** Without createSuccess: a kubelet reports only the latest state, so a running container may become Ready at once. */
  get lastingPhases(): readonly (GpuInstancePhase | undefined)[] {
    return this.phases.filter((phase) => phase !== 'createSuccess');
  }

  get #states() {
    return this.#following.states(this.namespace, this.name);
  }

  /** The next state in which it has this phase, counted from the last one reached; the latest wish is known in it. */
  reaches(phase: GpuInstancePhase, limitMs = PATIENCE_MS): Promise<Seen> {
    return this.becomes(phase, ({ status }) => status.phase === phase, limitMs);
  }

  /** Ignores its earlier states and wishes: it may be another object of its name. */
  fromNow(): void {
    this.#at = Math.max(0, this.#states.length - 1);
    this.#generation = 0;
  }

  /** As `reaches`, for anything a state can show. */
  becomes(what: string, is: (seen: Seen) => boolean, limitMs = PATIENCE_MS): Promise<Seen> {
    const story = () =>
      `${this.name} is ${what}; it went ${this.phases.join(' → ')}; ${this.#states.at(-1)?.object.status?.message}`;
    const look = () => {
      for (let at = this.#at; at < this.#states.length; at++) {
        const seen = this.#states[at]?.object as Seen;
        const { generation = 0 } = seen.metadata;
        if (generation < this.#generation || seen.status?.observedGeneration !== generation || !is(seen)) continue;
        this.#at = at;
        return seen;
      }
      return undefined;
    };
    return this.#following.until(story, look, limitMs);
  }

  async isThere(limitMs = PATIENCE_MS): Promise<void> {
    const look = () => this.#following.latest(this.namespace, this.name);
    await this.#following.until(() => `${this.name} is there`, look, limitMs);
  }

  async isGone(limitMs = PATIENCE_MS): Promise<void> {
    const story = () => `${this.name} is gone; it went ${this.phases.join(' → ')}`;
    await this.#following.until(story, () => this.#states.at(-1)?.isLast || undefined, limitMs);
  }

  /** Changes the spec. */
  async wish(spec: Partial<GpuInstanceSpec>): Promise<void> {
    await this.#change({ spec });
  }

  async annotate(annotations: Record<string, string | null>): Promise<void> {
    await this.#change({ metadata: { annotations } });
  }

  async setFinalizers(finalizers: readonly string[]): Promise<void> {
    await this.#change({ metadata: { finalizers } });
  }

  async release(): Promise<void> {
    await mustCallApi(this.#stage.cluster, { method: 'DELETE', path: this.path });
  }

  async #change(body: object): Promise<void> {
    const call = { method: 'PATCH', path: this.path, contentType: 'application/merge-patch+json', body } as const;
    const answer: GpuInstance = JSON.parse((await mustCallApi(this.#stage.cluster, call)).body);
    this.#generation = answer.metadata.generation ?? 0;
  }

  podName(run = this.now.status?.run?.seq ?? 1): string {
    return `${this.name}-${run}`;
  }

  /** The Pod of a run as it was last seen, gone or not. */
  pod(run?: number): Pod {
    const pod = this.#stage.pods.states(this.namespace, this.podName(run)).at(-1)?.object;
    if (!pod) throw new Error(`${this.podName(run)} was never seen`);
    return pod;
  }

  /** When the container of a run started and ended, as the kubelet says. */
  times(run?: number): { startedAt: string | undefined; finishedAt: string | undefined } {
    const states = this.#stage.pods.states(this.namespace, this.podName(run)).map(({ object }) => mainOf(object));
    return {
      startedAt: states.findLast((state) => state?.running)?.running?.startedAt,
      finishedAt: states.findLast((state) => state?.terminated)?.terminated?.finishedAt,
    };
  }

  /** When a run was first Ready. */
  async readyAt(run?: number): Promise<string | undefined> {
    // The instance's own watch may have reported it before the Pods' watch.
    return readySince(await this.podBecomes('ready', (pod) => readySince(pod) !== undefined, run));
  }

  /** Waits for a state of a run's Pod. */
  podBecomes(what: string, is: (pod: Pod) => boolean, run?: number, limitMs = PATIENCE_MS): Promise<Pod> {
    const name = this.podName(run);
    const look = () => this.#stage.pods.states(this.namespace, name).find(({ object }) => is(object))?.object;
    return this.#stage.pods.until(() => `Pod ${name} is ${what}`, look, limitMs);
  }

  async podIsGone(run?: number, limitMs = PATIENCE_MS): Promise<void> {
    const name = this.podName(run);
    const look = () => this.#stage.pods.states(this.namespace, name).at(-1)?.isLast || undefined;
    await this.#stage.pods.until(() => `Pod ${name} is gone`, look, limitMs);
  }

  /** Runs a line of shell inside the container; returns its output. Throws if it fails. */
  async sh(line: string, kubectl: Kubectl = this.#stage.kubectl): Promise<string> {
    const args = ['exec', '--namespace', this.namespace, this.podName(), '-c', 'main', '--', 'sh', '-c', line];
    return (await kubectl.must(args)).trim();
  }
}

const mainOf = (pod: Pod) => pod.status?.containerStatuses?.[0]?.state;
const readySince = (pod: Pod): string | undefined =>
  pod.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True')?.lastTransitionTime;
