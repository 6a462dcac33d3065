// The files of disks, joined with the cluster: for members who browse, and for models that come from a disk.
import { canDo, type KubeObject } from '@gantry/contract/define-kind.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { type DataDisk, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { isForbidden } from '@gantry/kube/api-error.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import * as z from 'zod';
import type { Disks } from '../../../core/files/sources/disks.ts';
import { explain } from '../../../platform/kube/refusals.ts';
import { podOf } from '../terminals/terminals.ts';
import { DiskFiles, type Holder } from './disk-files.ts';

export interface DiskFilesOf {
  client: Pick<KubeClient, 'as'>;
  /** Out of the caches. */
  find: (kind: { kind: string }, namespace: string, name: string) => KubeObject | undefined;
  keyed: (text: string) => string;
  clock: Clock;
}

export const openDiskFiles = ({ client, find, keyed, clock }: DiskFilesOf): DiskFiles =>
  new DiskFiles({
    as: (user) => client.as(user),
    findDisk: (namespace, id) => find(dataDisk, namespace, id) as DataDisk | undefined,
    holderOf: (disk) => holderOf(disk, (namespace, id) => find(gpuInstance, namespace, id) as GpuInstance | undefined),
    wish: (user, disk, until) => wishForFiles(client, user, disk, until),
    keyed,
    clock,
  });

const listing = z.object({
  entries: z.array(z.object({ name: z.string(), type: z.string(), sizeBytes: z.int().min(0) })),
  total: z.int().min(0),
});
const LONGEST_PAGE = 1000;

/** As the models' room reads them. */
export const disksOf = (files: DiskFiles, find: DiskFilesOf['find']): Disks => ({
  has: ({ organization }, disk) => find(dataDisk, organization.namespace, disk) !== undefined,
  list: (member, disk, { path, page, signal }) =>
    files
      .json(
        member,
        disk,
        { method: 'GET', path: '/dir', query: { path, page, size: LONGEST_PAGE, sort: 'name' }, signal },
        listing,
      )
      .catch(refuse),
  async read(member, disk, { path, from, signal }) {
    const headers = from > 0 ? { range: `bytes=${from}-` } : {};
    const asked = { method: 'GET', path: '/file', query: { path }, headers, signal } as const;
    const body = await files.call(member, disk, asked).catch(refuse);
    const [, begin = '0', whole = body.headers['content-length']] =
      /^bytes (\d+)-\d+\/(\d+)$/.exec(body.headers['content-range'] ?? '') ?? [];
    return { tag: body.headers.etag ?? '', size: Number(whole), from: Number(begin), body };
  },
});

/** A member who was removed since may do nothing any more: an import of theirs fails, rather than waits. */
function refuse(error: unknown): never {
  const meaning = isForbidden(error) ? explain(error, 'en') : error;
  const isRole = meaning instanceof Problem && meaning.problem === 'organization_not_ready';
  throw isRole ? problem('file_refused', {}, { cause: error }) : meaning;
}

/** The instance that runs with the disk; one that gets it at its next start does not have it. */
function holderOf(
  { metadata: { namespace = '' }, status }: DataDisk,
  find: (namespace: string, id: string) => GpuInstance | undefined,
): Holder | undefined {
  for (const { kind, name, mountPath, atNextStart } of status?.mountedBy ?? []) {
    if (kind !== 'GpuInstance' || atNextStart || mountPath === undefined) continue;
    const instance = find(namespace, name);
    if (instance && canDo(gpuInstance, 'login', instance)) return { at: podOf(instance), root: mountPath };
  }
  return undefined;
}

async function wishForFiles(client: Pick<KubeClient, 'as'>, user: string, disk: DataDisk, until: string) {
  await client.as(user).mergePatch(resourceOf(dataDisk), { ...targetOf(disk), body: { spec: { files: { until } } } });
}
