// Objects as a person would write them: valid, so that a test mentions only what it is about.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';

interface Fixture<Spec> {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly spec?: Spec;
}

/** Before the API server fills in defaults. */
type InstanceSpec = Partial<GpuInstance['spec']>;

export interface Manifest<Spec> extends KubeObject {
  readonly spec: Spec;
}

/** Without a GPU: most rules are about something else. */
export function gpuInstance({ name = 'dev', spec, ...metadata }: Fixture<InstanceSpec> = {}): Manifest<InstanceSpec> {
  return {
    apiVersion: API_VERSION,
    kind: 'GpuInstance',
    metadata: { name, ...metadata },
    spec: { image: 'registry.gantry.internal/official/busybox:1.36', ...spec },
  };
}
