// The host that an object is meant to run on: one of its own namespace, whatever other organisations' hosts are called or tagged.
import { type GpuHost, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { hostOf, type Placed } from '@gantry/contract/kinds/host-of.ts';
import type { CacheReader } from '@gantry/kube/resource.ts';
import { followed } from '../../platform/kube/resources.ts';

const HOST = followed(gpuHost);

export const hostIn = (caches: CacheReader, namespace: string, placed: Placed): GpuHost | undefined =>
  hostOf(placed, {
    get: (name) => caches.get(HOST, namespace, name) as GpuHost | undefined,
    all: () => caches.list(HOST, namespace) as readonly GpuHost[],
  });
