// For tests of reads: caches that hold these objects, with every index and sum of theirs; their namespaces are not told apart.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';

export function cachesOf(objects: ReadonlyMap<Resource, readonly KubeObject[]>): CacheReader {
  const list = (resource: Resource) => objects.get(resource) ?? [];
  return {
    get: (resource, _, name) => list(resource).find(({ metadata }) => metadata.name === name),
    by: (resource, index, value) => list(resource).filter((one) => resource.indexes?.[index]?.(one).includes(value)),
    sum: (resource, name) => list(resource).reduce((sum, one) => sum + (resource.sums?.[name]?.(one) ?? 0), 0),
    list,
    version: () => 1,
  };
}
