// Why an instance waits for another object is told in every language, with that object's own reason and numbers.
import { CREDIT_SENTENCES } from '@gantry/contract/billing/credit-sentences.ts';
import type { DataDisk } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { localized } from '@gantry/contract/localized.ts';
import { quoted, said } from '@gantry/contract/said.ts';
import { expect, test } from '@jest/globals';
import { busyHost } from '../../prerequisites.ts';
import { busyDisk } from './mounts.ts';
import type { Trouble } from './trouble.ts';

const inChinese = (why: Trouble | undefined) => localized(gpuInstance, why ?? {}, 'zh');
const host = (status: GpuHost['status']) => ({ kind: 'GpuHost', metadata: { name: 'hst-1' }, status }) as GpuHost;
const owner = { metadata: { name: 'dev' }, spec: {} } as GpuInstance;
const disk = (status: DataDisk['status']) =>
  ({ kind: 'DataDisk', metadata: { name: 'dsk-1' }, spec: {}, status }) as DataDisk;

test('of a host without credit, with the numbers of billing', () => {
  const what = said(CREDIT_SENTENCES.months, { months: '2' });
  const needs = said(CREDIT_SENTENCES.needs, { wanted: '9.00', currency: 'USD', available: '1.00', what });
  const status = {
    phase: 'pending',
    reason: 'OutOfCredit',
    message: `The organisation is out of credit: ${needs.message}`,
  };
  const why = busyHost(
    { host: 'hst-1' } as GpuInstance['spec'],
    host({ ...status, reasonArgs: { ...quoted('detail', needs) } }),
  );
  expect(why?.args.detail).toBe('The organisation is out of credit: needs $9.00 for 2 months, $1.00 available');
  expect(inChinese(why)).toBe('spec.host：主机 hst-1 未就绪：组织余额不足：2 个月需要 $9.00，可用 $1.00');
});

test('of a host of which an older version said why, in its English', () => {
  const status = { phase: 'pending', reason: 'WaitingForNodes', message: 'Needs 2 nodes.' };
  expect(inChinese(busyHost({ host: 'hst-1' } as GpuInstance['spec'], host(status)))).toBe(
    'spec.host：主机 hst-1 未就绪：Needs 2 nodes.',
  );
});

test('of a host and a disk of which nothing is said yet', () => {
  expect(inChinese(busyHost({ host: 'hst-1' } as GpuInstance['spec'], host(undefined)))).toBe(
    'spec.host：主机 hst-1 未就绪：正在准备',
  );
  expect(inChinese(busyDisk(owner, [disk(undefined)]))).toBe('spec.disks：磁盘 dsk-1 目前无法挂载：正在创建');
});

test('of a disk that is being made', () => {
  const status = { phase: 'inactive', reason: 'Provisioning', message: 'The volume is being created.' };
  expect(inChinese(busyDisk(owner, [disk(status)]))).toBe('spec.disks：磁盘 dsk-1 目前无法挂载：正在创建存储卷。');
});
