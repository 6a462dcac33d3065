// How many replicas a service or a deployment is to have, as its object says.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import {
  type ContainerService,
  type ContainerServiceStatus,
  containerService,
  wantedReplicas,
} from '@gantry/contract/kinds/container-service.ts';
import {
  type ModelDeployment,
  modelDeployment,
  wantedReplicas as wantedOfDeployment,
} from '@gantry/contract/kinds/model-deployment.ts';

/** Something that is served, and how many replicas it is to have; undefined: nobody can say yet. */
export interface WantedOf {
  object: KubeObject & {
    spec?: { startedBy?: string | undefined };
    status?: Pick<ContainerServiceStatus, 'scaling'>;
  };
  replicas: number | undefined;
}

/** Undefined: it has no replicas at all. */
export const wantedOf = (object: KubeObject): WantedOf | undefined =>
  object.kind in WANTED ? { object: object as WantedOf['object'], replicas: WANTED[object.kind]?.(object) } : undefined;

const WANTED: Readonly<Record<string, (object: object) => number | undefined>> = {
  [containerService.kind]: (object) => wantedReplicas(object as ContainerService),
  [modelDeployment.kind](object) {
    const { spec, status } = object as ModelDeployment;
    // One that runs is to have none until it is known how it is served, and nobody wanted that.
    return status?.setup || spec.power !== 'Running' ? wantedOfDeployment(object as ModelDeployment) : undefined;
  },
};
