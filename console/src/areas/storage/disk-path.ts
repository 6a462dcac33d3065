// The paths of a disk's pages.
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';

type Place = Pick<DiskView, 'id' | 'region'>;

export const placeOf = ({ id, region }: Place): string => `${encodeURIComponent(id)}/${encodeURIComponent(region)}`;

export const diskPath = (disk: Place): string => `/gpu/storage/${placeOf(disk)}`;

export const filesPath = (disk: string, path = '/'): string =>
  `/develop/file?${new URLSearchParams({ disk, ...(path !== '/' && { path }) })}`;

export const resourcePath = ({ kind, id }: Pick<DiskView['mounted_by'][number], 'kind' | 'id'>): string =>
  kind === 'GpuHost' ? `/gpu/nodes/${encodeURIComponent(id)}` : `/develop/instance/${encodeURIComponent(id)}`;
