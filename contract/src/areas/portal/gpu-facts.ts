// What makers state of their GPUs, by which cards are compared: dense throughput, without the sparsity that data sheets double it by.

export interface GpuFacts {
  vendor: string;
  /** TFLOPS of dense FP16 or BF16 matrix arithmetic. */
  tflops: number;
  /** GB/s of the card's memory. */
  memoryGbPerSecond: number;
  /** Where both stand. */
  source: string;
}

const nvidia = (tflops: number, memoryGbPerSecond: number, sheet: string): GpuFacts => ({
  vendor: 'NVIDIA',
  tflops,
  memoryGbPerSecond,
  source: `NVIDIA ${sheet}`,
});
const amd = (tflops: number, memoryGbPerSecond: number, sheet: string): GpuFacts => ({
  vendor: 'AMD',
  tflops,
  memoryGbPerSecond,
  source: `AMD ${sheet}`,
});

/** The first whose pattern is in the label's model, with `-` for spaces. */
const FACTS: readonly (readonly [RegExp, GpuFacts])[] = [
  [/\bB200\b/, nvidia(2250, 8000, 'DGX B200 data sheet')],
  [/\bH200\b/, nvidia(989, 4800, 'H200 data sheet')],
  [/\bGH200\b/, nvidia(989, 4000, 'GH200 data sheet')],
  [/\bH100-NVL\b/, nvidia(835, 3900, 'H100 data sheet')],
  [/\bH100-PCIe\b/i, nvidia(756, 2000, 'H100 data sheet')],
  [/\bH100\b/, nvidia(989, 3350, 'H100 data sheet')],
  [/\bH800\b/, nvidia(989, 3350, 'H800 data sheet')],
  [/\bH20\b/, nvidia(148, 4000, 'H20 data sheet')],
  [/\bA100-SXM4-80GB\b/, nvidia(312, 2039, 'A100 data sheet')],
  [/\bA100-.*80GB\b/, nvidia(312, 1935, 'A100 data sheet')],
  [/\bA100\b/, nvidia(312, 1555, 'A100 data sheet')],
  [/\bA800\b/, nvidia(312, 2039, 'A800 data sheet')],
  [/\bL40S\b/, nvidia(362, 864, 'L40S data sheet')],
  [/\bL40\b/, nvidia(181, 864, 'L40 data sheet')],
  [/\bL20\b/, nvidia(119.5, 864, 'L20 data sheet')],
  [/\bL4\b/, nvidia(121, 300, 'L4 data sheet')],
  [/\bA40\b/, nvidia(149.7, 696, 'A40 data sheet')],
  [/\bA30\b/, nvidia(165, 933, 'A30 data sheet')],
  [/\bA10G\b/, nvidia(70, 600, 'A10G data sheet')],
  [/\bA10\b/, nvidia(125, 600, 'A10 data sheet')],
  [/\bRTX-A6000\b/, nvidia(154.8, 768, 'RTX A6000 data sheet')],
  [/\bV100\b/, nvidia(125, 900, 'V100 data sheet')],
  [/\bTesla-T4\b|\bT4\b/, nvidia(65, 320, 'T4 data sheet')],
  [/\bRTX-5090\b/, nvidia(209.5, 1792, 'RTX Blackwell architecture white paper')],
  [/\bRTX-4090\b/, nvidia(165.2, 1008, 'Ada architecture white paper')],
  [/\bRTX-3090\b/, nvidia(71, 936, 'Ampere GA102 architecture white paper')],
  [/\bMI300X\b/, amd(1307, 5300, 'MI300X data sheet')],
  [/\bMI250X\b/, amd(383, 3277, 'MI250X data sheet')],
];

/** A slice of a card (MIG) has neither its throughput nor its bandwidth. */
const SLICE = /\bMIG\b/;

/** Undefined for a model that the table does not have. */
export function gpuFacts(model: string): GpuFacts | undefined {
  const label = model.replaceAll(/[\s_]+/g, '-');
  return SLICE.test(label) ? undefined : FACTS.find(([pattern]) => pattern.test(label))?.[1];
}

/** Of a model without facts: its name says it, or nothing does. */
export const vendorOf = (model: string): string | null =>
  gpuFacts(model)?.vendor ??
  (/^(nvidia|tesla|quadro|geforce)\b/i.test(model) ? 'NVIDIA' : /^(amd|instinct|radeon)\b/i.test(model) ? 'AMD' : null);
