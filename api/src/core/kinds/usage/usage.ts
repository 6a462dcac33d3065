// The use of objects' Pods and nodes: asked of each kubelet once a step, however many people look, and kept for an hour.

import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { milli } from '@gantry/contract/fields/quantity.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { KindUsage, MeasuredPart, ObjectUsageView, SeriesName } from '@gantry/contract/kind-api.ts';
import { backOffMs } from '@gantry/kube/backoff.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { Hour, STEP_MS } from './hour.ts';
import { readSummary, type Summary } from './read-summary.ts';

/** A kind whose objects are measured. */
export type MeasuredKind = KindFacts & { api: { usage: KindUsage } };

/** Cores and bytes; null where nothing limits it. */
export type Limits = Readonly<Record<'cpu' | 'memory' | 'root', number | null>>;

export interface ObjectUsageParts {
  kinds: readonly MeasuredKind[];
  list: (kind: { kind: string }) => readonly KubeObject[];
  find: (kind: { kind: string }, namespace: string, name: string) => KubeObject | undefined;
  /** A Pod that a node has, as the API server knows it. */
  podAt: (namespace: string, name: string) => { uid: string; node: string; limits: Limits } | undefined;
  /** `host`: the uid of the host that has it. */
  nodeAt: (name: string) => { host: string | undefined; limits: Limits } | undefined;
  /** The bytes that a disk's file system keeps for itself; a kubelet counts them as used. */
  ownBytesOf: (namespace: string, disk: string) => number;
  /** The report of a node's kubelet, as text. */
  ask: (node: string, signal: AbortSignal) => Promise<string>;
  clock: Clock;
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void };
  /** From 0 to 1, to spread attempts. */
  chance?: () => number;
}

interface Target {
  key: string;
  namespace: string;
  part: MeasuredPart;
  /** Absent: the whole node. */
  podUid?: string;
}

interface Kept {
  hour: Hour;
  /** By series. */
  capacities: Map<string, number>;
}

/** Nodes asked at once. One that failed, or was never asked, is not in the way of those that answer. */
const LANES = { sound: 16, doubtful: 8 };
type Lane = keyof typeof LANES;
/** One failure costs one step. */
const BACK_OFF = { firstMs: STEP_MS, mostMs: 300_000 };

export interface UsedNow {
  readonly cpu: number | null;
  readonly gpu: number | null;
}

export class ObjectUsage {
  readonly #parts: ObjectUsageParts;
  readonly #kept = new Map<string, Kept>();
  readonly #nodes = new Map<string, { failures: number; notBefore: number }>();
  readonly #busy = new Set<Lane>();
  readonly #stopping = new AbortController();
  #cancel = () => {};

  constructor(parts: ObjectUsageParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#turn(this.#step());
  }

  stop(): void {
    this.#stopping.abort();
    this.#cancel();
  }

  /** The usage of the first part, unless one is named. Throws not_found. */
  read({ organization: { namespace } }: Caller, facts: MeasuredKind, id: string, wanted?: string): ObjectUsageView {
    const object = this.#parts.find(facts, namespace, id);
    if (!object) throw problem('not_found', { what: id });
    const parts = facts.api.usage.partsOf(object);
    const part = wanted === undefined ? parts[0] : parts.find(({ name }) => name === wanted);
    if (!part && wanted !== undefined) throw problem('not_found', { what: `${id}/${wanted}` });
    const { clock } = this.#parts;
    const step = this.#step();
    const kept = part && this.#kept.get(keyOf(object, part));
    const end = clock.now() - clock.monotonic() + (kept?.hour.lastStep(step) ?? step - 1) * STEP_MS;
    return {
      parts: parts.map(({ name }) => name),
      part: part?.name ?? null,
      step_seconds: STEP_MS / 1000,
      end_time: new Date(end).toISOString(),
      series: part ? this.#series(namespace, part, kept, step) : [],
    };
  }

  /** The present value of a series of one part; undefined where there is none. */
  latest(object: KubeObject, facts: MeasuredKind, name: string, series: SeriesName): number | undefined {
    const part = facts.api.usage.partsOf(object).find((one) => one.name === name);
    const kept = part && this.#kept.get(keyOf(object, part));
    return kept?.hour.now(series, this.#step()) ?? undefined;
  }

  /** The present use of each part: for decisions. Percent of its limits; null if there is no data. */
  usedNow(facts: MeasuredKind, object: KubeObject): UsedNow[] {
    const step = this.#step();
    const namespace = object.metadata.namespace ?? '';
    return facts.api.usage.partsOf(object).map((part) => {
      const { hour } = this.#kept.get(keyOf(object, part)) ?? {};
      const cores = hour?.now('cpu', step) ?? null;
      const limit = this.#limitsOf(namespace, part)?.cpu;
      return {
        cpu: cores === null || !limit ? null : (cores / limit) * WHOLE,
        gpu: hour?.now('gpu', step) ?? null,
      };
    });
  }

  #series(namespace: string, part: MeasuredPart, kept: Kept | undefined, step: number): ObjectUsageView['series'] {
    const limits = this.#limitsOf(namespace, part);
    const of = (name: SeriesName, disk: string | null, key: string, limit: number | null | undefined) => {
      const unit = UNITS[name];
      const shown = (value: number) => (unit === 'bytes' ? Math.round(value) : milli(value));
      const now = kept?.hour.now(key, step) ?? null;
      const points = kept?.hour.points(key, step) ?? [];
      return {
        name,
        disk,
        unit,
        limit: limit ?? kept?.capacities.get(key) ?? null,
        now: now === null ? null : shown(now),
        points: points.map((value) => (value === null ? null : shown(value))),
      };
    };
    return [
      of('cpu', null, 'cpu', limits?.cpu),
      of('memory', null, 'memory', limits?.memory),
      of('root', null, 'root', limits?.root),
      ...part.volumes.map(({ disk }) => of(disk === null ? 'home' : 'disk', disk, volumeKey(disk), undefined)),
      // Nobody measures it yet: it comes with the DCGM exporter.
      ...(part.hasGpu ? [of('gpu', null, 'gpu', WHOLE)] : []),
    ];
  }

  #limitsOf(namespace: string, { of }: MeasuredPart): Limits | undefined {
    const { podAt, nodeAt } = this.#parts;
    return 'pod' in of ? podAt(namespace, of.pod)?.limits : nodeAt(of.node)?.limits;
  }

  #step(): number {
    return Math.floor(this.#parts.clock.monotonic() / STEP_MS);
  }

  /** A timer may fire a little before its time: each turn knows its own step. */
  #turn(planned: number): void {
    const { clock } = this.#parts;
    const step = Math.max(planned, this.#step());
    this.#askAll(step);
    this.#cancel = clock.after((step + 1) * STEP_MS - clock.monotonic(), () => this.#turn(step + 1));
  }

  #askAll(step: number): void {
    const now = this.#parts.clock.monotonic();
    const targets = this.#targets(step);
    for (const node of this.#nodes.keys()) if (!targets.has(node)) this.#nodes.delete(node);
    const lanes: Record<Lane, string[]> = { sound: [], doubtful: [] };
    for (const node of targets.keys()) {
      const known = this.#nodes.get(node);
      if (known?.failures === 0) lanes.sound.push(node);
      else if (!known || known.notBefore <= now) lanes.doubtful.push(node);
    }
    for (const lane of Object.keys(LANES) as Lane[]) {
      if (this.#busy.has(lane)) continue;
      this.#busy.add(lane);
      const ask = (node: string) => this.#ask(node, targets.get(node) ?? [], step);
      void inParallel(lanes[lane], LANES[lane], ask).finally(() => this.#busy.delete(lane));
    }
  }

  /** By node. What was kept of objects that are gone, or for more than an hour, is forgotten. */
  #targets(step: number): Map<string, Target[]> {
    const { kinds, list } = this.#parts;
    const targets = new Map<string, Target[]>();
    const keys = new Set<string>();
    for (const facts of kinds)
      for (const object of list(facts))
        for (const part of facts.api.usage.partsOf(object)) {
          const key = keyOf(object, part);
          keys.add(key);
          this.#kept.get(key)?.hour.keep(seriesOf(part));
          const place = this.#placeOf(object, part);
          if (!place) continue;
          const { node, ...of } = place;
          const target = { key, namespace: object.metadata.namespace ?? '', part, ...of };
          const others = targets.get(node);
          if (others) others.push(target);
          else targets.set(node, [target]);
        }
    for (const [key, { hour }] of this.#kept) if (!keys.has(key) || hour.isOver(step)) this.#kept.delete(key);
    return targets;
  }

  #placeOf(object: KubeObject, { of }: MeasuredPart): { node: string; podUid?: string } | undefined {
    if ('pod' in of) {
      const pod = this.#parts.podAt(object.metadata.namespace ?? '', of.pod);
      return pod && { node: pod.node, podUid: pod.uid };
    }
    // A node that it had, or is about to have, may have somebody else's work on it.
    return this.#parts.nodeAt(of.node)?.host === identityOf(object) ? { node: of.node } : undefined;
  }

  async #ask(node: string, targets: readonly Target[], step: number): Promise<void> {
    const { clock, log, chance = Math.random } = this.#parts;
    const { signal } = this.#stopping;
    const uids = new Set(targets.map(({ podUid }) => podUid));
    const failures = this.#nodes.get(node)?.failures ?? 0;
    try {
      const summary = readSummary(await this.#parts.ask(node, signal), (uid) => uids.has(uid));
      for (const target of targets) this.#keep(target, summary, step);
      if (failures > 0) log.info({ node }, 'the node says again what it uses');
      this.#nodes.set(node, { failures: 0, notBefore: 0 });
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0) log.warn({ node, why: (error as Error).message }, 'the node does not say what it uses');
      const notBefore = clock.monotonic() + backOffMs(BACK_OFF, failures + 1, chance());
      this.#nodes.set(node, { failures: failures + 1, notBefore });
    }
  }

  #keep({ key, namespace, part, podUid }: Target, { node, pods }: Summary, step: number): void {
    const pod = podUid === undefined ? undefined : pods.get(podUid);
    const used = podUid === undefined ? node : pod;
    if (!used) return;
    const kept = this.#kept.get(key) ?? { hour: new Hour(), capacities: new Map() };
    this.#kept.set(key, kept);
    const volumes = part.volumes.map(({ claim, disk, ownBytes = 0 }) => {
      const { usedBytes, capacityBytes } = pod?.volumes.get(claim) ?? {};
      const own = disk === null ? ownBytes : this.#parts.ownBytesOf(namespace, disk);
      return { name: volumeKey(disk), used: usedBytes && Math.max(0, usedBytes - own), capacityBytes };
    });
    kept.hour.put(step, [
      ['cpu', used.cores],
      ['memory', used.memoryBytes],
      ['root', used.rootBytes],
      ...volumes.map(({ name, used }) => [name, used] as const),
    ]);
    const capacities = [
      ...(podUid === undefined ? [{ name: 'root', capacityBytes: node.rootCapacityBytes }] : []),
      ...volumes,
    ];
    for (const { name, capacityBytes: bytes } of capacities) if (bytes !== undefined) kept.capacities.set(name, bytes);
  }
}

const WHOLE = 100;
const UNITS = {
  cpu: 'cores',
  memory: 'bytes',
  root: 'bytes',
  home: 'bytes',
  disk: 'bytes',
  gpu: 'percent',
} as const satisfies Record<SeriesName, ObjectUsageView['series'][number]['unit']>;

/** No part's name has a slash. */
const keyOf = ({ metadata }: KubeObject, part: MeasuredPart): string => `${metadata.uid}/${part.name}`;
const volumeKey = (disk: string | null): string => (disk === null ? 'home' : `disk/${disk}`);
const seriesOf = ({ volumes }: MeasuredPart): ReadonlySet<string> =>
  new Set(['cpu', 'memory', 'root', ...volumes.map(({ disk }) => volumeKey(disk))]);
