// Ends containers that may no longer run if the kind's own plan does not: because it fails, or its writes do not get through.
// This uses no plan, no status and not the owner's resourceVersion. A failing plan ends nothing by itself: paid runs continue.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { ANNOTATION } from '@gantry/contract/names.ts';
import type { Caches } from '@gantry/kube/caches.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { isTerminal, type Node, type Pod } from '@gantry/kube/core-objects.ts';
import { keyText } from '@gantry/kube/object-key.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import type { AnyController, Overdue } from '../define-controller.ts';
import { isMetered, NODE, POD } from '../resources.ts';

/** A plan that works has ended its Pods long before. */
const GRACE_MS = 60_000;

export interface LastResortParts {
  controller: AnyController;
  resource: Resource;
  caches: CacheReader & Pick<Caches, 'observe'>;
  client: Pick<KubeClient, 'mergePatch'>;
  clock: Clock;
  settings: unknown;
  /** Leadership is sure now. Asked right before every write. */
  mayWrite(): boolean;
  ended(owner: KubeObject, pod: Pod, why: Overdue): void;
  failed(owner: KubeObject, error: unknown): void;
}

export class LastResort {
  readonly #parts: LastResortParts;
  /** Key → since when its plan fails (monotonic). */
  readonly #failing = new Map<string, number>();
  /** Uid of a Pod → since when it is overdue (monotonic). */
  readonly #overdue = new Map<string, number>();

  constructor(parts: LastResortParts) {
    this.#parts = parts;
  }

  /** How many objects' plans fail now. */
  get failing(): number {
    return this.#failing.size;
  }

  /** The plan of this key was carried out. */
  planned(key: string): void {
    this.#failing.delete(key);
  }

  /** The plan of this key fails: its overdue Pods are ended at once. Returns why, if there are any. */
  async planFailed(key: string, owner: KubeObject): Promise<Overdue | undefined> {
    if (!this.#failing.has(key)) this.#failing.set(key, this.#parts.clock.monotonic());
    await this.#end(owner);
    return this.#podsOf(owner)
      .filter(isMetered)
      .map((pod) => this.#why(owner, pod))
      .find((why) => why !== undefined);
  }

  /** Looks at every object of the kind. */
  async look(): Promise<void> {
    const { controller, caches, resource } = this.#parts;
    if (!controller.overdue) return;
    const owners = caches.list(resource);
    const pods = new Set<string | undefined>();
    for (const owner of owners) {
      for (const { metadata } of await this.#end(owner)) pods.add(metadata.uid);
    }
    for (const uid of this.#overdue.keys()) if (!pods.has(uid)) this.#overdue.delete(uid);
    const keys = new Set(owners.map(({ metadata }) => keyText(metadata.namespace, metadata.name)));
    for (const key of this.#failing.keys()) if (!keys.has(key)) this.#failing.delete(key);
  }

  /** Returns the Pods that are overdue. */
  async #end(owner: KubeObject): Promise<readonly Pod[]> {
    if (ANNOTATION.paused in (owner.metadata.annotations ?? {})) return [];
    const { clock, client, caches, mayWrite, ended, failed } = this.#parts;
    const overdue = this.#podsOf(owner).flatMap((pod) => {
      const why = this.#runs(pod) ? this.#why(owner, pod) : undefined;
      return why === undefined ? [] : [{ pod, why }];
    });
    const now = clock.monotonic();
    for (const { pod, why } of overdue) {
      const since = this.#overdue.get(pod.metadata.uid ?? '') ?? now;
      this.#overdue.set(pod.metadata.uid ?? '', since);
      if ((now - since < GRACE_MS && !this.#failing.has(keyOf(owner))) || !mayWrite()) continue;
      try {
        if (why === 'ended') await this.#halt(owner);
        // As every other end: the container stays in place, with an exact end, until it is saved.
        const patch = { ...targetOf(pod), body: { spec: { activeDeadlineSeconds: 1 } } };
        caches.observe(await client.mergePatch(POD, patch), undefined);
        ended(owner, pod, why);
      } catch (error) {
        failed(owner, error);
      }
    }
    return overdue.map(({ pod }) => pod);
  }

  /** Whoever would replace what is ended is told first. Answers are observed, so that this is done once. */
  async #halt(owner: KubeObject): Promise<void> {
    const { controller, caches, client } = this.#parts;
    for (const { of, patch } of controller.halts?.(owner, caches) ?? [])
      caches.observe(await client.mergePatch(of, patch), undefined);
  }

  #why(owner: KubeObject, pod: Pod): Overdue | undefined {
    const { controller, clock, settings } = this.#parts;
    const since = this.#failing.get(keyOf(owner));
    const failingMs = since === undefined ? 0 : clock.monotonic() - since;
    return controller.overdue?.(owner, { podUID: pod.metadata.uid ?? '', failingMs }, settings);
  }

  #podsOf(owner: KubeObject): readonly Pod[] {
    const { controller, caches } = this.#parts;
    if (!controller.overdue) return [];
    return controller.pods?.(owner, caches) ?? (caches.by(POD, 'owner', owner.metadata.uid ?? '') as readonly Pod[]);
  }

  /** Runs, is metered, and nobody has begun to end it. A lost node is not argued with. */
  #runs(pod: Pod): boolean {
    const { metadata, spec, status } = pod;
    const isEnding = metadata.deletionTimestamp !== undefined || spec?.activeDeadlineSeconds !== undefined;
    const isRunning = status?.containerStatuses?.[0]?.state?.running !== undefined && !isTerminal(pod);
    if (isEnding || !isRunning || !isMetered(pod)) return false;
    const node = this.#parts.caches.get(NODE, undefined, spec?.nodeName ?? '') as Node | undefined;
    return node?.status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
  }
}

const keyOf = ({ metadata }: KubeObject): string => keyText(metadata.namespace, metadata.name);
