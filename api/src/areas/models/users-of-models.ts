// Which deployments keep a model from being deleted.
import { listOf } from '@gantry/contract/fields/stored.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { ModelParts } from './open-models.ts';

/** Deployments that serve a model, or a version of it, as themselves or as an adapter. */
export const usersOfModels =
  ({ cache }: Pick<Cluster, 'cache'>): ModelParts['usedBy'] =>
  (model, version) =>
    cache
      .list<ModelDeployment>(modelDeployment)
      .filter(({ spec }) =>
        [spec, ...listOf(spec.adapters)].some(
          (one) => one.model === model && (version === undefined || one.version === version),
        ),
      )
      .map(({ metadata, spec }) => ({
        organizationId: organizationOf(metadata.namespace ?? '') ?? '',
        name: spec.displayName ?? metadata.name,
      }));
