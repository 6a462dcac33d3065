// What evaluations read of deployments: what each serves now, and by what, so that results can say so.
import { type ModelDeployment, wantedReplicas } from '@gantry/contract/kinds/model-deployment.ts';
import type { ModelSetup } from '@gantry/contract/kinds/model-deployment-schema.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import type { Database } from '../../platform/db/open.ts';
import type { ServedSubject } from '../../platform/db/schema/evaluations.ts';
import { digestOfVersion, findWeights, readVersion, type Version } from './deployed.ts';

interface EvaluatedParts {
  db: Database;
  deployment(namespace: string, name: string): ModelDeployment | undefined;
}

type Served = Omit<ServedSubject, 'stamp' | 'isChanged'> & { stamp: Omit<ServedSubject['stamp'], 'seed'> };

/** Why a run cannot begin: a reason of the kind, with what stands in its sentence. */
interface NotNow {
  reason: 'InputsGone' | 'ModelNotServing';
  args: Record<string, string>;
}

/** What an engine computes in, where it is told. */
const GIVES_DTYPE = /^--dtype[= ](.{1,32})$/;

export class Evaluated {
  readonly #parts: EvaluatedParts;

  constructor(parts: EvaluatedParts) {
    this.#parts = parts;
  }

  /** What a deployment serves whose present revision is complete, or which sleeps until it is asked. */
  async served(
    organizationId: string,
    { deployment, adapter }: { deployment: string; adapter?: string | undefined },
  ): Promise<Served | NotNow> {
    const { db, deployment: find } = this.#parts;
    const object = find(organizationNamespace(organizationId), deployment);
    const missing = missingIn(object, { deployment, adapter });
    if (!object || missing !== undefined) return { reason: 'InputsGone', args: { what: missing ?? deployment } };
    const { spec, status, metadata } = object;
    const found = await findWeights(db.sql, organizationId, spec);
    const { setup, weights } = status ?? {};
    const isServing = spec.power === 'Running' && isComplete(object);
    if ('reason' in found || !setup || weights?.digest !== found.weights.digest || !isServing)
      return { reason: 'ModelNotServing', args: { model: deployment } };
    const beside = (spec.adapters ?? []).find(({ name }) => name === adapter);
    const added = beside && (await readVersion(db.sql, organizationId, beside.model, beside.version));
    // It was found with the others.
    if (typeof added === 'string') throw new Error('an adapter that is served is gone');
    const { version } = found;
    return {
      ...{ deployment, adapter: adapter ?? null, uid: metadata.uid ?? '' },
      ...{ model: spec.model, version: spec.version, name: version.modelName },
      weights: digestOfVersion(version),
      adapterWeights: added ? digestOfVersion(added) : null,
      stamp: {
        ...servedBy(object, setup),
        template: added?.templateHash ?? version.templateHash,
        dtype: dtypeOf(spec.extraArgs ?? [], version),
      },
    };
  }
}

/** What of it is not there, or makes no answers. */
function missingIn(
  object: ModelDeployment | undefined,
  { deployment, adapter }: { deployment: string; adapter?: string | undefined },
): string | undefined {
  const hasAnswers = object && (object.spec.task ?? 'Generate') === 'Generate';
  if (!hasAnswers || object.metadata.deletionTimestamp !== undefined) return `the deployment ${deployment}`;
  const isThere = adapter === undefined || (object.spec.adapters ?? []).some(({ name }) => name === adapter);
  return isThere ? undefined : `the adapter ${adapter} of ${deployment}`;
}

const servedBy = (object: ModelDeployment, { engine, gpu, image }: ModelSetup) => ({
  ...{ engine, image: presentRevision(object)?.image ?? image ?? null },
  gpu: gpu ? { model: gpu.model, count: gpu.count } : null,
});

const presentRevision = ({ status }: ModelDeployment) =>
  status?.revisions?.find(({ revision }) => revision === status.revision);

/** Replicas of another revision would answer some of the questions. */
const isComplete = (object: ModelDeployment): boolean =>
  wantedReplicas(object) === 0 || presentRevision(object)?.outcome === 'good';

function dtypeOf(given: readonly string[], { quantisation }: Pick<Version, 'quantisation'>): string | null {
  const said = given.flatMap((argument) => GIVES_DTYPE.exec(argument)?.[1] ?? []).at(-1);
  const at = given.indexOf('--dtype');
  return said ?? (at >= 0 ? given[at + 1]?.slice(0, 32) : undefined) ?? quantisation;
}
