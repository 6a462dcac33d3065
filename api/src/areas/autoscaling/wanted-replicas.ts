// How many replicas a service or a deployment is to have, as its object says.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { type ContainerService, containerService, wantedReplicas } from '@gantry/contract/kinds/container-service.ts';
import {
  type ModelDeployment,
  modelDeployment,
  wantedReplicas as wantedOfDeployment,
} from '@gantry/contract/kinds/model-deployment.ts';
import type { WantedOf } from './scaling-records.ts';

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
