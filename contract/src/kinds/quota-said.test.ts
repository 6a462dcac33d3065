import { expect, test } from '@jest/globals';
import { quotaSaid } from './quota-said.ts';

const refusal = (requested: string, used: string, limited: string) =>
  `pods "dev-1" is forbidden: exceeded quota: tenants, requested: ${requested}, used: ${used}, limited: ${limited}`;

test.each([
  [
    refusal('requests.nvidia.com/gpu=9', 'requests.nvidia.com/gpu=0', 'requests.nvidia.com/gpu=8'),
    '9 GPUs are requested, and 0 of the 8 GPUs that it may use are in use',
  ],
  [
    refusal('requests.cpu=100m', 'requests.cpu=0', 'requests.cpu=0'),
    '0.1 CPU cores are requested, and 0 of the 0 that it may use are in use',
  ],
  [
    refusal(
      'requests.memory=64Gi,requests.cpu=2',
      'requests.memory=1536Mi,requests.cpu=1',
      'requests.memory=32Gi,requests.cpu=2',
    ),
    '64 GiB of memory are requested, and 1.5 of the 32 GiB that it may use are in use',
  ],
  [
    refusal('requests.storage=50Gi', 'requests.storage=1Gi', 'requests.storage=20Gi'),
    '50 GiB of storage are requested, and 1 of the 20 GiB that it may use are in use',
  ],
  [refusal('pods=1', 'pods=3', 'pods=3'), 'pods: 1 requested, 3 of 3 in use'],
])('%s', (message, says) => {
  expect(quotaSaid(message)?.message).toBe(says);
});

test('what says nothing about a quota is none', () => {
  expect(quotaSaid('pods "dev-1" is forbidden: violates PodSecurity')).toBeUndefined();
  expect(quotaSaid('exceeded quota: tenants, requested')).toBeUndefined();
});
