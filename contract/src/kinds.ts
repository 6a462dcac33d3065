// Every kind of the product, one line each. CRDs, RBAC, routes and tests walk this list.
import type { KindFacts } from './define-kind.ts';
import { gpuInstance } from './kinds/gpu-instance.ts';
import { image } from './kinds/image.ts';
import { organization } from './kinds/organization.ts';

export const KINDS = { organization, image, gpuInstance } as const satisfies Record<string, KindFacts>;
