// Evaluation, joined with tasks, deployments and datasets.
import { type Evaluation, evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { Tariffs } from '../../core/billing/prices/tariffs.ts';
import type { User } from '../../core/files/demand-unused.ts';
import { filesOf } from '../../core/files/files.ts';
import type { StoredFiles } from '../../core/files/stored-files.ts';
import { actorOf } from '../../core/identity/organizations/actor-of.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { Tables } from '../../core/tables/tables.ts';
import type { OpenTasks } from '../../core/tasks/open.ts';
import { aside } from '../../platform/aside/aside.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import type { Scored } from './compared.ts';
import { askedUsers, evaluateKind } from './evaluate-kind.ts';
import type { EvaluatedDatasets, EvaluatedModels, TokensCost } from './evaluation-parts.ts';
import { evaluationRoutes } from './evaluation-routes.ts';
import { type EvaluationRun, EvaluationStore } from './evaluation-store.ts';
import { EXAMPLES, ExamplesOwner } from './examples-owner.ts';
import { ServedVersions } from './served-versions.ts';
import { sweeping } from './sweeping.ts';

export interface OpenEvaluation {
  routes: readonly Served[];
  usesDataset(dataset: string, version?: number): readonly User[];
  /** Of the newest run that ended well, with what each subject and task is; undefined where there is none of that name. */
  scoresOf(
    organizationId: string,
    name: string,
  ): Promise<(Pick<EvaluationRun, 'subjects' | 'tasks' | 'baseline'> & Omit<Scored, 'run'>) | undefined>;
  start(): void;
  stop(): unknown;
}

interface EvaluationWith {
  tasks: OpenTasks | undefined;
  tables: Tables | undefined;
  stored: Pick<StoredFiles, 'addOwner' | 'wake'>;
  tariffs: Pick<Tariffs, 'of'>;
  /** Read when a run begins or ends: they may be opened later. */
  models: () => EvaluatedModels;
  datasets: () => EvaluatedDatasets;
  costs: () => TokensCost;
}

/** Before the stored files' start. Without a store its routes say so, and no run begins. */
export function openEvaluation(
  { db, clock, log }: Pick<Platform, 'db' | 'clock' | 'log'>,
  { kinds, cache }: Pick<Cluster, 'kinds' | 'cache'>,
  { tasks, tables, stored, tariffs, ...later }: EvaluationWith,
): OpenEvaluation {
  const find = ({ organization }: Caller, id: string) =>
    kinds.reads.find<Evaluation>(evaluation, organization.namespace, id);
  if (!tasks || !tables)
    return {
      routes: evaluationRoutes({ find }),
      usesDataset: () => [],
      scoresOf: async () => undefined,
      ...{ start() {}, stop() {} },
    };
  const { store, scores, wayTo } = tasks;
  const runs = new EvaluationStore({ db, clock });
  stored.addOwner(new ExamplesOwner({ db, runs, store, aside, wayTo }));
  const fileOf = async (id: string) => {
    const file = (await filesOf(db.sql, { kind: 'task', id })).find(({ path }) => path === EXAMPLES);
    return file?.digest ? { key: file.digest, bytes: file.sizeBytes } : undefined;
  };
  const versions = new ServedVersions({
    ...{ kinds, clock, log },
    deployments: (namespace) => cache.list<ModelDeployment>(modelDeployment, namespace),
    evaluation: (namespace, name) => (cache.synced ? cache.get<Evaluation>(evaluation, namespace, name) : null),
    actor: (of) => actorOf(db.sql, of),
  });
  const datasets: EvaluatedDatasets = {
    input: (...args) => later.datasets().input(...args),
    demandSeen: (...args) => later.datasets().demandSeen(...args),
  };
  const evaluated = tasks.runsOf(
    evaluateKind({
      ...{ clock, store, scores, runs, versions, datasets, tables, fileOf, wake: stored.wake },
      models: { served: (...args) => later.models().served(...args) },
      costs: (...args) => later.costs()(...args),
    }),
  );
  const turn = new Turn({ db, clock, log }, 'sweep of evaluations');
  const removing = new Turn({ db, clock, log }, 'deployments of evaluations');
  return {
    routes: evaluationRoutes({
      find,
      kept: { runs, scores, datasets, tables, fileOf, currencyOf: (id) => tariffs.of(id).currency },
    }),
    usesDataset: (dataset, version) => askedUsers(evaluated.present(), dataset, version),
    async scoresOf(organizationId, name) {
      const object = cache.get<Evaluation>(evaluation, organizationNamespace(organizationId), name);
      const [run] = object ? await runs.newest([object.metadata.uid ?? '']) : [];
      return run && { ...run, ...(await scores.of(run)) };
    },
    start() {
      turn.start((signal) => sweeping({ clock, log, runs, uids: () => evaluated.uids() }, signal));
      removing.start((signal) => versions.work(signal));
    },
    stop: () => Promise.all([turn.stop(), removing.stop()]),
  };
}
