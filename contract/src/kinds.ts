// Every kind of the product, one line each. CRDs, RBAC, routes and tests walk this list.
import type { KindFacts } from './define-kind.ts';
import { alertPolicy } from './kinds/alert-policy.ts';
import { containerService } from './kinds/container-service.ts';
import { dataDisk } from './kinds/data-disk.ts';
import { dataProcess } from './kinds/data-process.ts';
import { evaluation } from './kinds/evaluation.ts';
import { fineTune } from './kinds/fine-tune.ts';
import { gpuHost } from './kinds/gpu-host.ts';
import { gpuInstance } from './kinds/gpu-instance.ts';
import { image } from './kinds/image.ts';
import { job } from './kinds/job.ts';
import { modelDeployment } from './kinds/model-deployment.ts';
import { organization } from './kinds/organization.ts';
import { snapshot } from './kinds/snapshot.ts';

export const KINDS = {
  organization,
  image,
  gpuInstance,
  snapshot,
  dataDisk,
  gpuHost,
  job,
  containerService,
  modelDeployment,
  dataProcess,
  fineTune,
  evaluation,
  alertPolicy,
} as const satisfies Record<string, KindFacts>;
