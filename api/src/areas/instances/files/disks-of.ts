// The files of disks as a source: for imports, which read them as the member who began them.
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { isForbidden } from '@gantry/kube/api-error.ts';
import * as z from 'zod';
import type { Disks } from '../../../core/files/sources/disks.ts';
import { explain } from '../../../platform/kube/refusals.ts';
import type { DiskFiles } from './disk-files.ts';
import type { DiskFilesOf } from './open.ts';

const listing = z.object({
  entries: z.array(z.object({ name: z.string(), type: z.string(), sizeBytes: z.int().min(0) })),
  total: z.int().min(0),
});
const LONGEST_PAGE = 1000;

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
