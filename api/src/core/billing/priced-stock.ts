// What runs on the clusters, for those who price it: its data centres, GPU models and deployed models.
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { Cluster } from '../kinds/open-cluster.ts';
import type { PricedStock } from './prices/price-items.ts';

export const pricedStock = ({ kinds, billed }: Pick<Cluster, 'kinds' | 'billed'>): PricedStock => ({
  regions: () => kinds.regions().map(({ region, name }) => ({ region, name })),
  gpuModels: () =>
    kinds
      .regions()
      .filter(({ isReached }) => isReached)
      .flatMap(({ region }) => kinds.stockIn(region).map(({ gpu_type }) => gpu_type)),
  models: () =>
    billed.list(modelDeployment.kind).map(({ object }) => {
      const { spec, status } = object as unknown as ModelDeployment;
      const { weights } = status ?? {};
      return { id: spec.model, name: (weights?.model === spec.model ? weights.name : undefined) ?? spec.model };
    }),
});
