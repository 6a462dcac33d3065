// For tests of reads: caches that hold these objects, with every index of theirs.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';

export function cachesOf(objects: ReadonlyMap<Resource, readonly KubeObject[]>): CacheReader {
  const list = (resource: Resource) => objects.get(resource) ?? [];
  return {
    get: (resource, _, name) => list(resource).find(({ metadata }) => metadata.name === name),
    by: (resource, index, value) => list(resource).filter((one) => resource.indexes?.[index]?.(one).includes(value)),
    list,
    version: () => 1,
  };
}
