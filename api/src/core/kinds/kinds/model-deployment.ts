// Deployments of models: what objects that are served have, and how many nodes have the files already.
import type { ModelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { START_FIELDS, TEMPLATE_FIELDS } from '@gantry/contract/kinds/model-deployment-schema.ts';
import type { ModelAround } from '@gantry/contract/kinds/model-deployment-view.ts';
import { deploymentCachedOn } from '../cached-models.ts';
import type { KindHooks } from './hooks.ts';
import { servedHooks } from './served.ts';

export const deploymentHooks: KindHooks = {
  ...servedHooks(START_FIELDS, TEMPLATE_FIELDS),
  related(cache, object, pool) {
    const cachedOn = deploymentCachedOn(cache.reader, object as ModelDeployment, pool);
    return {
      related: { cachedOn } satisfies ModelAround,
      key: `${cachedOn?.nodes}/${cachedOn?.of}/${cachedOn?.copying}`,
    };
  },
};
