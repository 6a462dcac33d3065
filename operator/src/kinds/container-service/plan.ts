import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { defineController } from '../../define-controller.ts';

export const containerServiceController = defineController<ContainerService, Record<never, never>, unknown>({
  facts: containerService,
  reads: {},
  plan: () => ({}),
});
