// Which jobs are tracked: each run gets the door of its agents before its Pods are made, and is followed while the Pod of its first worker
// is there. One gateway at a time does so, and sweeps what released jobs have left; every step may be done twice.
import { createHash } from 'node:crypto';
import type { Job } from '@gantry/contract/kinds/job.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { followEach } from '../../core/tasks/follow-each.ts';
import { tokenOf } from '../../core/tasks/present-run.ts';
import { type RunCluster, speaksFor } from '../../core/tasks/run-cluster.ts';
import type { RunRows } from '../../core/tasks/run-rows.ts';
import { TaskDoor } from '../../core/tasks/task-door.ts';
import type { Aside } from '../../platform/aside/aside.ts';
import type { Way } from '../../platform/pods/call-pod.ts';
import { followTracked, type TrackedRun, type TrackedRunParts } from './tracked-run.ts';

interface TrackedJobsParts extends Omit<TrackedRunParts, 'door' | 'rows'> {
  cluster: Pick<RunCluster<Job>, 'list' | 'isWhole' | 'write' | 'speakers' | 'way'>;
  rows: TrackedRunParts['rows'] & Pick<RunRows, 'forgetOthers'>;
  aside: Aside;
  clock: Clock;
  /** Only this installation can make it. */
  keyed(text: string): string;
}

interface Followed extends TrackedRun {
  way: Way;
}

const SWEEP_MS = 3_600_000;
/** In one look: those who are followed wait meanwhile. */
const MOST_ANSWERS = 50;

export class TrackedJobs {
  readonly #parts: TrackedJobsParts;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(parts: TrackedJobsParts) {
    this.#parts = parts;
  }

  /** Until the signal. */
  async work(signal: AbortSignal): Promise<void> {
    const { aside, clock, log } = this.#parts;
    await followEach<Followed>(
      clock,
      {
        look: async () => {
          await this.#answer();
          await this.#sweep();
          return this.#there();
        },
        follow: ({ way, ...of }, within) =>
          followTracked(of, { ...this.#parts, door: new TaskDoor(way, aside) }, within),
        failed: ({ taskUid, run }, error) => log.warn({ err: error, task: taskUid, run }, 'a job is followed again'),
      },
      signal,
    );
  }

  /** Runs wait for it. */
  async #answer(): Promise<void> {
    const { cluster, keyed, log } = this.#parts;
    let answers = 0;
    for (const object of cluster.list()) {
      if (answers === MOST_ANSWERS) return;
      const { metadata, spec, status } = object;
      const run = status?.run;
      const isWanted = spec.tracking && spec.schedule === undefined && metadata.deletionTimestamp === undefined;
      // The Pods of a run that is in the queue are decided: a wish of now is for the next one.
      if (!isWanted || !run || run.queuedAt !== undefined || run.endedAt !== undefined) continue;
      if (status.tracking?.run === run.seq || metadata.uid === undefined) continue;
      answers++;
      const door = createHash('sha256')
        .update(tokenOf(keyed, { taskUid: metadata.uid, run: run.seq }))
        .digest('hex');
      await cluster
        .write(object, { tracking: { run: run.seq, door } })
        .catch((error: unknown) => log.warn({ err: error, task: metadata.uid }, 'a job has no door to its agent yet'));
    }
  }

  /** Also of runs that have ended: their agents still have the last lines. */
  #there(): ReadonlyMap<string, Followed> {
    const { cluster, keyed } = this.#parts;
    const found = new Map<string, Followed>();
    const tracked = cluster.list().filter(({ status }) => status?.tracking && status.tracking.run === status.run?.seq);
    const speakers = tracked.length > 0 ? cluster.speakers() : new Map<string, never>();
    for (const object of tracked) {
      const { uid: taskUid, namespace = '' } = object.metadata;
      const run = object.status?.run?.seq ?? 0;
      const organizationId = organizationOf(namespace);
      const pod = speakers.get(speaksFor(object, run));
      if (pod?.phase !== 'Running' || taskUid === undefined || organizationId === undefined) continue;
      const way = cluster.way(object, pod, tokenOf(keyed, { taskUid, run }));
      found.set(`${taskUid} ${run} ${pod.name}`, { taskUid, run, organizationId, way });
    }
    return found;
  }

  /** What released jobs have left. */
  async #sweep(): Promise<void> {
    const { cluster, rows, clock, log } = this.#parts;
    if (!cluster.isWhole() || clock.monotonic() - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = clock.monotonic();
    const live = new Set(cluster.list().flatMap(({ metadata }) => metadata.uid ?? []));
    await rows
      .forgetOthers(live, new Date(clock.now() - SWEEP_MS))
      .catch((error: unknown) => log.warn({ err: error }, 'what released jobs have logged was not swept'));
  }
}
