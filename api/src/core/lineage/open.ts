// The lineage, joined with the cluster, which knows what runs.
import { LINEAGE_RUNS, type LineageKind } from '@gantry/contract/areas/lineage/lineage.ts';
import { WANTED } from '@gantry/contract/kinds/container-service.ts';
import type { DataProcess } from '@gantry/contract/kinds/data-process.ts';
import type { Evaluation } from '@gantry/contract/kinds/evaluation.ts';
import type { FineTune } from '@gantry/contract/kinds/fine-tune.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import type { Cluster } from '../kinds/open-cluster.ts';
import { Lineage, type ShownToAll } from './lineage.ts';
import { lineageRoutes } from './lineage-routes.ts';

const SERVED: ReadonlySet<string> = new Set(WANTED);

/** The kind of the task of a run; undefined of all else. */
const TASKS: Readonly<Partial<Record<LineageKind, string>>> = LINEAGE_RUNS;

export function openLineage(
  { db }: Pick<Platform, 'db'>,
  { cache }: Pick<Cluster, 'cache'>,
  { shown, downloadsAtOnce }: { shown: ShownToAll; downloadsAtOnce: StoredFiles['downloadsAtOnce'] },
): { routes: readonly Served[] } {
  const lineage = new Lineage({
    ...{ db, shown },
    isRunning(organizationId, ref, uid) {
      const found = cache.get<ModelDeployment>(modelDeployment, organizationNamespace(organizationId), ref);
      return found?.metadata.uid === uid && SERVED.has(modelDeployment.phaseInView(found));
    },
    taskName({ organizationId, kind, ref, uid }) {
      const task = TASKS[kind];
      const namespace = organizationNamespace(organizationId);
      const found = task && cache.get<DataProcess | Evaluation | FineTune>({ kind: task }, namespace, ref);
      return found && found.metadata.uid === uid.split('/')[0] ? found.spec.displayName : undefined;
    },
  });
  return { routes: lineageRoutes({ lineage, downloadsAtOnce }) };
}
