// Whether chosen files belong to an upload that was left: one of them is listed there, by its path and size, or nothing is listed yet.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import type { FileToSend } from '../../../parts/files/send-pieces.ts';

const PAGE = 1000;

export async function isBegunWith(
  api: Pick<Api, 'call'>,
  params: { readonly id: string; readonly version: string },
  files: readonly FileToSend[],
): Promise<boolean> {
  const sizes = new Map(files.map(({ path, file }) => [path, file.size]));
  for (let page = 1, cursor: string | undefined; ; page++) {
    const query = { page, size: PAGE, ...(cursor !== undefined && { cursor }) };
    const { items, total, totalPages, extra } = await api.call(CALLS.listDatasetFiles, { params, query });
    if (total === 0 || items.some((listed) => sizes.get(listed.path) === listed.size_bytes)) return true;
    cursor = (extra as { cursor?: string }).cursor;
    if (page >= totalPages) return false;
  }
}
