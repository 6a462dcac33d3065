// Tasks, joined with the cluster and with the stored files that keep their work. They end with the platform.
import { aside } from '../../platform/aside/aside.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Platform } from '../../platform/open.ts';
import type { Way } from '../../platform/pods/call-pod.ts';
import { Blobs } from '../files/blobs.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import { memberCaller } from '../identity/people/member-caller.ts';
import type { Cluster } from '../kinds/open-cluster.ts';
import { recordGoneRuns } from '../lineage/lineage-rows.ts';
import { AskModels } from './ask-models.ts';
import { Checkpoints } from './checkpoints.ts';
import type { DataTask } from './present-run.ts';
import { runCluster } from './run-cluster.ts';
import type { RunKind } from './run-kind.ts';
import { Runs } from './runs.ts';
import { TaskCallers } from './task-callers.ts';
import { TaskPoints } from './task-points.ts';
import { TaskScores } from './task-scores.ts';
import { TaskStore } from './task-store.ts';
import { Tasks } from './tasks.ts';

type Authenticate = (token: string) => Promise<Caller | undefined>;

export interface OpenTasks {
  store: TaskStore;
  points: TaskPoints;
  checkpoints: Checkpoints;
  scores: TaskScores;
  /** Runs of a kind, which are followed from `start` on. */
  runsOf<T extends DataTask>(kind: RunKind<T>): Runs<T>;
  /** To the Pod of a run of any kind; undefined where it is gone. */
  wayTo(taskUid: string, run: number): Way | undefined;
  /** Once all kinds are there; without one there is nothing to follow. */
  start(): void;
  /** For /v1: tokens of tasks, besides those of others. */
  authenticate(others: Authenticate): Authenticate;
  /** Where /v1 answers. */
  listensAt(url: string): void;
}

/** Undefined where the installation has no object store: no work could be kept. */
export function openTasks(
  { config, db, clock, log, closing }: Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'closing'>,
  cluster: Pick<Cluster, 'client' | 'cache'>,
  { store, blobs, quotaGi, addOwner }: Pick<StoredFiles, 'store' | 'blobs' | 'quotaGi' | 'addOwner'>,
): OpenTasks | undefined {
  if (!store || !blobs) return undefined;
  const kept = new TaskStore({ db, clock, quotaGi, blobs: new Blobs({ db, clock, store }) });
  const points = new TaskPoints({ db, clock });
  const scores = new TaskScores({ db });
  const checkpoints = new Checkpoints({ db, clock, aside, store: kept, wayTo: (...run) => wayTo(...run) });
  addOwner(checkpoints);
  const tasks = new Tasks({ store: kept, points, checkpoints, scores, aside, clock, log });
  const callers = new TaskCallers();
  const models = new AskModels(callers, () => clock.now());
  const kinds: { runs: Pick<Runs<DataTask>, 'work' | 'wayTo'>; turn: Turn }[] = [];
  const wayTo = (taskUid: string, run: number): Way | undefined =>
    kinds.map(({ runs }) => runs.wayTo(taskUid, run)).find((way) => way !== undefined);
  const turn = new Turn({ db, clock, log }, 'tasks');
  closing.add(async () => {
    await Promise.all([turn.stop(), ...kinds.map((kind) => kind.turn.stop())]);
    models.stop();
  });
  return {
    ...{ store: kept, points, checkpoints, scores },
    runsOf<T extends DataTask>(kind: RunKind<T>): Runs<T> {
      const joined = runCluster<T>(kind.facts, config, cluster);
      closing.add(() => joined.stop());
      const runs = new Runs<T>({
        ...{ kind, clock, log, cluster: joined, store: kept, blobs, keyed: config.keyed },
        callerOf: (accountId, organizationId) => memberCaller(db.sql, { accountId, organizationId }),
        ask: (...args) => models.ask(...args),
        recordGone: (present) =>
          db.transaction((tx) => recordGoneRuns(tx, kind.facts.kind, present, new Date(clock.now()))),
      });
      tasks.addKind(runs);
      kinds.push({ runs, turn: new Turn({ db, clock, log }, `runs of ${kind.facts.kind}`) });
      return runs;
    },
    wayTo,
    start() {
      for (const { runs, turn: own } of kinds) own.start((signal) => runs.work(signal));
      if (tasks.hasKinds) turn.start((signal) => tasks.work(signal));
    },
    authenticate: (others) => callers.authenticate(others),
    listensAt: (url) => models.listensAt(url),
  };
}
