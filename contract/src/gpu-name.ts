// A GPU model as people read it. Fields, links and prices keep the label's own text.

/** `NVIDIA-H100-80GB-HBM3` → `NVIDIA H100 80 GB`, `Tesla-T4` → `NVIDIA Tesla T4`; a MIG profile keeps its own name. */
export const gpuName = (model: string): string =>
  model
    .replaceAll(/[-_]+/g, ' ')
    .replace(/^(?=Tesla |Quadro |GeForce )/, 'NVIDIA ')
    .replace(/ HBM\d\w*$/, '')
    .replaceAll(/(\d)GB\b/g, '$1 GB');
