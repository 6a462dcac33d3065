// A service is what it serves: the plan of all kinds that are served, with nothing of its own.
import {
  type ContainerService,
  containerService,
  type ServiceReason,
} from '@gantry/contract/kinds/container-service.ts';
import { defineController } from '../../define-controller.ts';
import type { ServiceSettings } from '../../serving/desired.ts';
import { overdue, stale } from '../../serving/overdue.ts';
import { planServed, SERVED_WRITES } from '../../serving/plan-served.ts';
import { readsOf } from '../../serving/reads.ts';
import { templateOf } from '../../serving/revisions.ts';
import type { Served } from '../../serving/served.ts';

const served: Served = {
  facts: containerService,
  words: (reason) => containerService.reasons[reason as ServiceReason],
  asService: (owner) => owner as ContainerService,
  template: ({ spec }) => templateOf(spec),
  inits: 0,
};

const { reads, halts } = readsOf<ContainerService>(served);

export const containerServiceController = defineController<ContainerService, typeof reads, ServiceSettings>({
  facts: containerService,
  reads,
  writes: { fields: ['url', ...SERVED_WRITES.fields], conditions: SERVED_WRITES.conditions },
  overdue,
  halts,
  stale,
  plan: (owner, seen, context) => planServed(served, owner, seen, context),
});
