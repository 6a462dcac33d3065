// One step towards what is wanted of a host.
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { defineController } from '../../define-controller.ts';

export const gpuHostController = defineController<GpuHost, Record<never, never>, unknown>({
  facts: gpuHost,
  reads: {},
  plan: () => ({}),
});
