// Every controller of the operator, one line each. The compiler fails until a kind of the contract has its own.
import type { AnyController } from './define-controller.ts';
import { gpuInstanceController } from './kinds/gpu-instance/plan.ts';
import { imageController } from './kinds/image/plan.ts';
import { organizationController } from './kinds/organization/plan.ts';

export const CONTROLLERS: Partial<Record<'organization' | 'image' | 'gpuInstance', AnyController>> = {
  organization: organizationController,
  image: imageController,
  gpuInstance: gpuInstanceController,
};
