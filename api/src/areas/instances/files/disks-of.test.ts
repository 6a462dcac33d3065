// Refusals by the API server of an import that reads a disk: for good, or until later.
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import type { DiskMember } from '../../../core/files/sources/disks.ts';
import { kindObject } from '../../../core/kinds/testing/memory-kinds.ts';
import { disksOf } from './disks-of.ts';
import { type DiskFilesOf, openDiskFiles } from './open.ts';

const member: DiskMember = { account: { id: 'acc-ann' }, organization: { id: 'acme', namespace: 'org-acme' } };

const refusedWith = (code: number, message: string) => {
  const mergePatch = async () => {
    throw new ApiError(code, { message });
  };
  const client = { as: () => ({ mergePatch }) } as unknown as DiskFilesOf['client'];
  const find = () => kindObject(dataDisk, 'data');
  const files = openDiskFiles({ client, find, keyed: (text) => text, clock: new SteppedClock() });
  return disksOf(files, find);
};

test.each([
  ['a member who was removed meanwhile', 403, 'datadisks "data" is forbidden', 'file_refused'],
  [
    ...(['what a policy refuses', 403] as const),
    "ValidatingAdmissionPolicy 'gantry-x' with binding 'gantry-x' denied request: no",
    'policy_refused',
  ],
  [
    ...(['a policy that is not ready yet', 403] as const),
    "ValidatingAdmissionPolicy 'gantry-x' with binding 'b' failed to configure binding: none found",
    'unavailable',
  ],
])('an import of %s: %i %s is %s', async (_, code, message, expected) => {
  const disks = refusedWith(code, message);
  const { signal } = new AbortController();
  await expect(disks.list(member, 'data', { path: '/', page: 1, signal })).rejects.toMatchObject({ problem: expected });
  await expect(disks.read(member, 'data', { path: '/a', from: 0, signal })).rejects.toMatchObject({
    problem: expected,
  });
});
