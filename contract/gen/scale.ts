// The subresource `scale`: `kubectl scale`, and the autoscalers of a cluster. A kind has it that counts replicas and says how they are
// found.
import type { KindFacts } from '@gantry/contract/define-kind.ts';

/** Fields of `container-service-schema.ts`. */
export const SCALE = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas.total',
  labelSelectorPath: '.status.selector',
} as const;

export const scalable = (kinds: readonly KindFacts[]): KindFacts[] =>
  kinds.filter(({ spec, status }) => 'replicas' in spec.shape && 'selector' in status.shape);
