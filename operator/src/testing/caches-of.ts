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

/** As the runtime's, which tell resources apart by identity: what is read must be followed. */
export function strictCachesOf(
  followed: readonly Resource[],
  objects: ReadonlyMap<Resource, readonly KubeObject[]>,
): CacheReader {
  const caches = cachesOf(objects);
  const asked = (resource: Resource): Resource => {
    if (!followed.includes(resource)) throw new Error(`${resource.plural} are read but not followed`);
    return resource;
  };
  return {
    get: (resource, ...rest) => caches.get(asked(resource), ...rest),
    by: (resource, ...rest) => caches.by(asked(resource), ...rest),
    sum: (resource, ...rest) => caches.sum(asked(resource), ...rest),
    list: (resource, ...rest) => caches.list(asked(resource), ...rest),
    version: (resource) => caches.version(asked(resource)),
  };
}

export const followedBy = ({ of, also = [] }: { of: Resource; also?: readonly Resource[] }): readonly Resource[] => [
  of,
  ...also,
];
