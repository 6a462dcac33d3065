// Fine-tuning, joined with tasks, models and datasets.
import { type FineTune, fineTune } from '@gantry/contract/kinds/fine-tune.ts';
import type { Tariffs } from '../../core/billing/prices/tariffs.ts';
import type { DataServers } from '../../core/data-server/data-servers.ts';
import type { User } from '../../core/files/demand-unused.ts';
import type { Source } from '../../core/files/source.ts';
import type { StoredBlobs } from '../../core/files/stored-blobs.ts';
import { memberCaller } from '../../core/identity/people/member-caller.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { OpenTasks } from '../../core/tasks/open.ts';
import { workerPrice } from '../../core/tasks/worker-price.ts';
import { aside } from '../../platform/aside/aside.ts';
import type { ModelMade } from '../../platform/db/schema/models.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { type TunePreviewParts, timedBy } from './preview.ts';
import { Saves } from './saves.ts';
import { madeSource } from './task-source.ts';
import { tuneCards } from './tune-cards.ts';
import { trainedUsers, tuneKind, tuneUsers } from './tune-kind.ts';
import { serveTraining } from './tune-metrics.ts';
import type { TunedDatasets, TunedModels } from './tuning-parts.ts';
import { tuningRoutes } from './tuning-routes.ts';

export interface OpenTuning {
  routes: readonly Served[];
  /** What a run has made, as the source of a version; absent where nothing can be stored. */
  made?: (made: ModelMade, signal: AbortSignal) => Promise<Source>;
  usesModel(model: string, version?: string): readonly User[];
  usesDataset(dataset: string, version?: number): readonly User[];
  start(): void;
  stop(): unknown;
}

interface TuningWith {
  tasks: OpenTasks | undefined;
  blobs: StoredBlobs | undefined;
  /** Absent where nothing here reads data. */
  data: Pick<DataServers, 'tune'> | undefined;
  tariffs: Pick<Tariffs, 'of'>;
  /** Read when a run begins: they may be opened later. */
  models: () => TunedModels;
  datasets: () => TunedDatasets;
}

/** Without a store its routes say so, and no run begins. */
export function openTuning(
  { config, db, clock, log, metrics }: Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'metrics'>,
  { kinds, cache }: Pick<Cluster, 'kinds' | 'cache'>,
  { tasks, blobs, data, tariffs, models: readModels, datasets: readDatasets }: TuningWith,
): OpenTuning {
  const find = ({ organization }: Caller, id: string) =>
    kinds.reads.find<FineTune>(fineTune, organization.namespace, id);
  if (!tasks || !blobs)
    return { routes: tuningRoutes({ find }), usesModel: () => [], usesDataset: () => [], start() {}, stop() {} };
  serveTraining({ metrics, clock }, { cache });
  const { store, points, checkpoints, wayTo } = tasks;
  const models: TunedModels = {
    base: (...args) => readModels().base(...args),
    output: (...args) => readModels().output(...args),
    made: (...args) => readModels().made(...args),
    version: (...args) => readModels().version(...args),
  };
  const datasets: TunedDatasets = { input: (...args) => readDatasets().input(...args) };
  const runs = tasks.runsOf(tuneKind({ clock, points, checkpoints, models, datasets }));
  const callerOf = (accountId: string, organizationId: string) => memberCaller(db.sql, { accountId, organizationId });
  const saves = new Saves({ clock, log, models, checkpoints, points, runs, callerOf });
  const turn = new Turn({ db, clock, log }, 'saves of checkpoints');
  const preview: TunePreviewParts = {
    ...{ datasets, models, blobs, data, workerPrice: workerPrice({ config, clock, tariffs }) },
    cards: ({ organization }, wish) => tuneCards(cache.reader, kinds.pool, organization.namespace, wish),
    timed: ({ organization }, wish) =>
      timedBy(
        runs.objects().filter(({ metadata }) => metadata.namespace === organization.namespace),
        wish,
      ),
  };
  return {
    routes: tuningRoutes({ find, kept: { points, checkpoints, store, preview } }),
    made: async (made, signal) => madeSource({ store, aside, wayTo, checkpoints, blobs }, made, signal),
    usesModel: (model, version) => tuneUsers(runs.present(), model, version),
    usesDataset: (dataset, version) => trainedUsers(runs.present(), dataset, version),
    start: () => turn.start((signal) => saves.work(signal)),
    stop: () => turn.stop(),
  };
}
