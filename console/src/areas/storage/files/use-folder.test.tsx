// A folder that could not be opened: it is requested again once the disk's mounts change.
import { answer, appAround, playNetwork } from '@gantry/ui/testing/played-app.tsx';
import { expect, test } from '@jest/globals';
import { renderHook, waitFor } from '@testing-library/react';
import { useFolder } from './use-folder.ts';

const fetched = playNetwork();

type Disk = Parameters<typeof useFolder>[0];
const HELD: Disk = {
  id: 'dsk-1',
  phase: 'mounted',
  mounted_by: [{ kind: 'GpuInstance', id: 'ins-1', name: 'training', mount_path: '/data', at_next_start: false }],
  conditions: [{ type: 'FilesAvailable', status: 'False', reason: 'FilesInUse', message: '', since: '2026-11-22' }],
};
const refused = () => answer({ code: 40970, error: 'files_in_use', message: 'It is in use.' }, 409);
const files = () =>
  answer({
    code: 0,
    message: 'ok',
    data: [{ name: 'notes' }],
    paginated: { page: 1, size: 200, total_num: 1, total_page: 1, num: 1, extra: {} },
  });

test.each<[string, Partial<Disk>]>([
  ['it was unmounted', { phase: 'active', mounted_by: [] }],
  ['its instance was stopped', { mounted_by: HELD.mounted_by.map((one) => ({ ...one, at_next_start: true })) }],
  ['its file server answers', { conditions: HELD.conditions.map((one) => ({ ...one, reason: 'FilesReady' })) }],
])('after %s, and not because anything else of it has changed', async (_, change) => {
  fetched.mockImplementation(async () => refused());
  const { result, rerender } = renderHook(({ disk }) => useFolder(disk, '/', { by: 'type', type: 'asc' }), {
    initialProps: { disk: HELD },
    wrapper: appAround(),
  });
  await waitFor(() => expect(result.current.list.error?.error).toBe('files_in_use'));
  const before = fetched.mock.calls.length;
  rerender({ disk: { ...HELD } });
  expect(fetched).toHaveBeenCalledTimes(before);
  fetched.mockImplementation(async () => files());
  rerender({ disk: { ...HELD, ...change } });
  await waitFor(() => expect(result.current.list.items).toEqual([{ name: 'notes' }]));
  expect(result.current.list.error).toBeNull();
});
