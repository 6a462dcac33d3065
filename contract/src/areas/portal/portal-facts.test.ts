// Tables of the portal: facts of GPUs by their labels, steps of stock, sizes and tasks of models.
import { expect, test } from '@jest/globals';
import { gpuFacts, vendorOf } from './gpu-facts.ts';
import { sizeClassOf } from './library.ts';
import { modelTask } from './model-task.ts';
import { shownStock, statedStock } from './stock-steps.ts';

test.each([
  ['NVIDIA-H200', 989, 4800],
  ['NVIDIA-H100-80GB-HBM3', 989, 3350],
  ['NVIDIA-H100-PCIe', 756, 2000],
  ['NVIDIA-H100-NVL', 835, 3900],
  ['NVIDIA-A100-SXM4-80GB', 312, 2039],
  ['NVIDIA-A100-PCIE-40GB', 312, 1555],
  ['NVIDIA GeForce RTX 4090', 165.2, 1008],
  ['Tesla-T4', 65, 320],
  ['AMD_Instinct_MI300X_OAM', 1307, 5300],
])('%s has %d TFLOPS and %d GB/s', (model, tflops, memoryGbPerSecond) => {
  expect(gpuFacts(model)).toMatchObject({
    tflops,
    memoryGbPerSecond,
    source: expect.stringMatching(/ (data sheet|white paper)$/),
  });
});

test.each([
  ['NVIDIA-H100-80GB-HBM3-MIG-1g.10gb', 'NVIDIA'],
  ['NVIDIA-L400', 'NVIDIA'],
  ['Something-New', null],
])('%s has no facts, and its vendor is %s', (model, vendor) => {
  expect([gpuFacts(model), vendorOf(model)]).toEqual([undefined, vendor]);
});

test.each([
  [0, 'none', 0],
  [3, 'few', 1],
  [4, 'some', 4],
  [15, 'some', 4],
  [1000, 'many', 16],
] as const)('%d cards are %s, stated as %d', (count, step, stated) => {
  expect(shownStock(count, 'steps')).toEqual({ step, count: null });
  expect(shownStock(count, 'exact')).toEqual({ step, count });
  expect([statedStock(count, 'steps'), statedStock(count, 'exact')]).toEqual([stated, count]);
});

test.each([
  [500_000_000, 'tiny'],
  [7_999_999_999, 'small'],
  [8_000_000_000, 'medium'],
  [70_000_000_000, 'large'],
  [671_000_000_000, 'huge'],
] as const)('%d parameters are %s', (parameters, size) => expect(sizeClassOf(parameters)).toBe(size));

test.each([
  ['Qwen3ForCausalLM', [], 'Generate'],
  ['llama', [], 'Generate'],
  ['BertModel', [], 'Embed'],
  ['XLMRobertaForSequenceClassification', [], 'Rerank'],
  ['Qwen3ForCausalLM', ['reranker'], 'Rerank'],
  ['Qwen3ForCausalLM', ['embedding'], 'Embed'],
  ['UNet2DConditionModel', [], null],
  [null, [], null],
] as const)('%s tagged %j is for %s', (structure, tags, task) => expect(modelTask({ structure, tags })).toBe(task));
