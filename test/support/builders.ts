// Objects as a person would write them: valid as they are, so that a test says only what it is about.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';

interface Given<Spec> {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly spec?: Spec;
}

/** What the API server has not defaulted yet. */
type Written<Spec> = { readonly [K in keyof Spec]?: Spec[K] };

export interface Manifest<Spec = object> extends KubeObject {
  readonly spec: Spec;
}

/** Without a GPU: most rules are about something else. */
export function gpuInstance(given: Given<Written<GpuInstance['spec']>> = {}): Manifest<Written<GpuInstance['spec']>> {
  return {
    apiVersion: API_VERSION,
    kind: 'GpuInstance',
    metadata: metadata('dev', given),
    spec: { image: 'registry.gantry.internal/official/busybox:1.36', ...given.spec },
  };
}

/** One idle container. */
export function pod(given: Given<object> = {}): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata('pod', given),
    spec: { containers: [{ name: 'main', image: 'registry.gantry.internal/official/busybox:1.36' }], ...given.spec },
  };
}

function metadata(byDefault: string, { name = byDefault, namespace, labels, annotations }: Given<object>) {
  return { name, ...(namespace && { namespace }), ...(labels && { labels }), ...(annotations && { annotations }) };
}
