// What the programs of jobs log, joined with the cluster. It needs no object store.
import { type Job, job } from '@gantry/contract/kinds/job.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import { runCluster } from '../../core/tasks/run-cluster.ts';
import { RunRows } from '../../core/tasks/run-rows.ts';
import { TaskPoints } from '../../core/tasks/task-points.ts';
import { aside } from '../../platform/aside/aside.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { TrackedJobs } from './tracked-jobs.ts';
import { trackingRoutes } from './tracking-routes.ts';

export interface OpenTracking {
  routes: readonly Served[];
  start(): void;
  stop(): Promise<void>;
}

export function openTracking(
  { config, db, clock, log }: Pick<Platform, 'config' | 'db' | 'clock' | 'log'>,
  cluster: Pick<Cluster, 'client' | 'cache' | 'kinds'>,
): OpenTracking {
  const rows = new RunRows({ db, clock, areTracked: true });
  const points = new TaskPoints({ db, clock });
  const joined = runCluster<Job>(job, config, cluster);
  const { keyed } = config;
  const jobs = new TrackedJobs({ cluster: joined, rows, points, aside, clock, log, keyed });
  const turn = new Turn({ db, clock, log }, 'tracked jobs');
  const find = ({ organization }: Caller, id: string) => cluster.kinds.reads.find<Job>(job, organization.namespace, id);
  return {
    routes: trackingRoutes({ find, rows, points }),
    start: () => turn.start((signal) => jobs.work(signal)),
    async stop() {
      await turn.stop();
      joined.stop();
    },
  };
}
