// The uid of a caller's own service or deployment, by which traffic, replicas and scaling are kept.
import { problem } from '@gantry/contract/http/problem.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';

const FACTS = { service: containerService, deployment: modelDeployment };

/** Throws not_found. */
export function scaledUid(
  cache: Pick<WatchCache, 'get'>,
  { organization }: Pick<Caller, 'organization'>,
  id: string,
  kind: keyof typeof FACTS = 'service',
): string {
  const object = cache.get(FACTS[kind], organization.namespace, id);
  if (!object) throw problem('not_found', { what: id });
  return object.metadata.uid ?? '';
}
