// Where pages of a disk are.
import type { DiskView } from '@gantry/contract/kinds/data-disk.ts';

export const diskPath = ({ id, region }: Pick<DiskView, 'id' | 'region'>): string =>
  `/gpu/storage/${encodeURIComponent(id)}/${encodeURIComponent(region)}`;

export const filesPath = (disk: string, path = '/'): string =>
  `/develop/file?${new URLSearchParams({ disk, ...(path !== '/' && { path }) })}`;

export const resourcePath = ({ kind, id }: Pick<DiskView['mounted_by'][number], 'kind' | 'id'>): string =>
  kind === 'GpuHost' ? `/gpu/nodes/${encodeURIComponent(id)}` : `/develop/instance/${encodeURIComponent(id)}`;
