// Data processing, joined with tasks, datasets and the cluster.
import { type DataProcess, dataProcess } from '@gantry/contract/kinds/data-process.ts';
import type { Tariffs } from '../../core/billing/prices/tariffs.ts';
import type { DataServers } from '../../core/data-server/data-servers.ts';
import type { User } from '../../core/files/demand-unused.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { Tables } from '../../core/tables/tables.ts';
import type { OpenTasks } from '../../core/tasks/open.ts';
import { workerPrice } from '../../core/tasks/worker-price.ts';
import { aside } from '../../platform/aside/aside.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { processKind, processUsers } from './process-kind.ts';
import { processRoutes } from './process-routes.ts';
import type { MadeBy, PricedModels, ProcessedDatasets } from './processing-parts.ts';
import { taskSource } from './task-source.ts';

export interface OpenProcessing {
  routes: readonly Served[];
  /** What a run has made, as the source of a version; absent where nothing can be stored. */
  made?: (by: MadeBy, whose: { signal: AbortSignal }) => Promise<ReturnType<typeof taskSource>>;
  usedBy(dataset: string, version?: number): readonly User[];
}

interface ProcessingWith {
  tasks: OpenTasks | undefined;
  tables: Tables | undefined;
  /** Absent where nothing here reads data. */
  data: Pick<DataServers, 'preview'> | undefined;
  /** Read when a preview is priced: they may be opened later. */
  models: () => PricedModels;
  tariffs: Pick<Tariffs, 'of'>;
  downloadsAtOnce: StoredFiles['downloadsAtOnce'];
  /** Read when a run begins: they may be opened later. */
  datasets: () => ProcessedDatasets;
}

/** Without a store its routes say so, and no run begins. */
export function openProcessing(
  { config, clock }: Pick<Platform, 'config' | 'clock'>,
  { kinds }: Pick<Cluster, 'kinds'>,
  { tasks, tables, data, models: priced, tariffs, downloadsAtOnce, datasets }: ProcessingWith,
): OpenProcessing {
  const find = ({ organization }: Caller, id: string) =>
    kinds.reads.find<DataProcess>(dataProcess, organization.namespace, id);
  if (!tasks || !tables) return { routes: processRoutes({ find, downloadsAtOnce }), usedBy: () => [] };
  const { store, wayTo } = tasks;
  const later: ProcessedDatasets = {
    input: (...args) => datasets().input(...args),
    output: (...args) => datasets().output(...args),
    made: (...args) => datasets().made(...args),
    version: (...args) => datasets().version(...args),
    demandSeen: (...args) => datasets().demandSeen(...args),
    filesIn: (...args) => datasets().filesIn(...args),
  };
  const runs = tasks.runsOf(processKind({ clock, store, datasets: later }));
  return {
    routes: processRoutes({
      ...{ find, downloadsAtOnce },
      kept: {
        ...{ store, tables, data, datasets: later },
        models: { costs: (...args) => priced().costs(...args), pace: (...args) => priced().pace(...args) },
        workerPrice: workerPrice({ config, clock, tariffs }),
      },
    }),
    made: async (by, { signal }) => taskSource({ store, aside, wayTo }, by, signal),
    usedBy: (dataset, version) => processUsers(runs.present(), dataset, version),
  };
}
