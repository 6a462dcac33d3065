// Every controller of the operator, one line each. The compiler fails until a kind of the contract has its own.
import type { AnyController } from './define-controller.ts';

export const CONTROLLERS: Partial<Record<'organization' | 'image' | 'gpuInstance', AnyController>> = {};
