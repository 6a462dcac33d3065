// Every controller of the operator, one line each. The compiler fails until a kind of the contract has its own.
import type { KINDS } from '@gantry/contract/kinds.ts';
import type { Settings } from './config.ts';
import type { ClusterPlan, Controller } from './define-controller.ts';
import { alertPolicyController } from './kinds/alert-policy/plan.ts';
import { containerServiceController } from './kinds/container-service/plan.ts';
import { dataDiskController } from './kinds/data-disk/plan.ts';
import { dataProcessController } from './kinds/data-process/plan.ts';
import { evaluationController } from './kinds/evaluation/plan.ts';
import { fineTuneController } from './kinds/fine-tune/plan.ts';
import { gpuHostController } from './kinds/gpu-host/plan.ts';
import { gpuInstanceController } from './kinds/gpu-instance/plan.ts';
import { imageController } from './kinds/image/plan.ts';
import { jobController } from './kinds/job/plan.ts';
import { modelDeploymentController } from './kinds/model-deployment/plan.ts';
import { organizationController } from './kinds/organization/plan.ts';
import { snapshotController } from './kinds/snapshot/plan.ts';
import { queuePool } from './queue-capacity.ts';

/** Controllers of the cluster as a whole. */
export const CLUSTER_PLANS: readonly ClusterPlan<Settings>[] = [queuePool];

export const CONTROLLERS = {
  organization: organizationController,
  image: imageController,
  gpuInstance: gpuInstanceController,
  snapshot: snapshotController,
  dataDisk: dataDiskController,
  gpuHost: gpuHostController,
  job: jobController,
  containerService: containerServiceController,
  modelDeployment: modelDeploymentController,
  dataProcess: dataProcessController,
  fineTune: fineTuneController,
  evaluation: evaluationController,
  alertPolicy: alertPolicyController,
  // biome-ignore lint/suspicious/noExplicitAny: controllers of every kind in one list; each must do with our settings
} satisfies Record<keyof typeof KINDS, Controller<any, any, Settings>>;
