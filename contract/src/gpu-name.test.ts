import { expect, test } from '@jest/globals';
import { gpuName } from './gpu-name.ts';

test.each([
  ['NVIDIA-H100-80GB-HBM3', 'NVIDIA H100 80 GB'],
  ['NVIDIA-A100-SXM4-40GB', 'NVIDIA A100 SXM4 40 GB'],
  ['NVIDIA-A100-80GB-PCIe', 'NVIDIA A100 80 GB PCIe'],
  ['NVIDIA-GeForce-RTX-4090', 'NVIDIA GeForce RTX 4090'],
  ['NVIDIA-A100-SXM4-40GB-MIG-1g.5gb', 'NVIDIA A100 SXM4 40 GB MIG 1g.5gb'],
  ['Tesla-T4', 'NVIDIA Tesla T4'],
  ['H100', 'H100'],
  ['', ''],
])('%p is read as %p', (model, name) => {
  expect(gpuName(model)).toBe(name);
});
