// The differences between served kinds. All other code reads such an object as a service.
import type { KindFacts, KubeObject, Words } from '@gantry/contract/define-kind.ts';
import type { ContainerService, ServiceReason } from '@gantry/contract/kinds/container-service.ts';
import type { ModelDeploymentReason } from '@gantry/contract/kinds/model-deployment.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import type { ServiceSettings } from './desired.ts';
import type { Deployment } from './reads.ts';
import type { Trouble } from './trouble.ts';

/** Reasons that one of the kinds has. */
export type ServingReason = ServiceReason | ModelDeploymentReason;
export type PodTemplate = NonNullable<Deployment['spec']>['template'];

export interface Served {
  facts: KindFacts;
  words(reason: ServingReason): Words;
  /** The service made from an object of the kind: its name, its status and its kind stay. */
  asService(owner: KubeObject): ContainerService;
  /** The part of the owner's spec that a revision remembers, to return to. */
  template(owner: ContainerService): object;
  /** How many init containers its Pods have. */
  inits: number;
  /** A further value that starts new replicas when it changes. */
  extra?(owner: ContainerService): string | undefined;
  /** A fault that keeps it from being made and will not pass by itself. */
  trouble?(owner: ContainerService, settings: ServiceSettings): Trouble | undefined;
  waitsFor?(owner: ContainerService): Trouble | undefined;
  /** The work of its replicas before their program runs. */
  progress?(owner: ContainerService, pods: readonly Pod[]): Trouble | undefined;
  dress?(owner: ContainerService, template: PodTemplate, settings: ServiceSettings): PodTemplate;
  /** Over how many nodes a replica is spread: each has a Pod of it. One, where this is not said. */
  nodes?(owner: ContainerService): number;
  /** The template of the Pods on a replica's other nodes, derived from that of the first, which answers requests. */
  worker?(owner: ContainerService, first: PodTemplate): PodTemplate;
}
