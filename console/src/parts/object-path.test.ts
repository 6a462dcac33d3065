// The page that the name of an object leads to.
import { expect, test } from '@jest/globals';
import { objectPath } from './object-path.ts';

test.each([
  ['an instance has a page', 'GpuInstance/ins-1a2b3c4d', '/develop/instance/ins-1a2b3c4d'],
  ['so has a job', 'Job/job-1a2b3c4d', '/deploy/job/job-1a2b3c4d'],
  ['so has a service', 'ContainerService/svc-1a2b3c4d', '/deploy/service/svc-1a2b3c4d'],
  ['a disk has one, in whichever region it is', 'DataDisk/dsk-1', '/gpu/storage/dsk-1'],
  ['a host has one', 'GpuHost/hst-1', '/gpu/nodes/hst-1'],
  ['a data processing task has one', 'DataProcess/dpr-1', '/data/processing/dpr-1'],
  ['a fine-tuning task has one', 'FineTune/ftn-1', '/model/finetune/ftn-1'],
  ['an evaluation has one', 'Evaluation/evl-1', '/model/evaluation/evl-1'],
  ['a payment has none', 'pay-1', undefined],
  ['what all objects have is no kind', 'constructor/x', undefined],
])('%s', (_, reference, path) => expect(objectPath(reference)).toBe(path));
