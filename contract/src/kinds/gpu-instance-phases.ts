// The names of an instance's phases. Apart from the schema, because lists name them and need no schema.
import { phases as en } from '../words/en/gpu-instance-phases.ts';
import { phases as ja } from '../words/ja/gpu-instance-phases.ts';
import { joined } from '../words/join.ts';
import { phases as zh } from '../words/zh/gpu-instance-phases.ts';

export const gpuInstancePhases = joined('GpuInstance.phases', { en, zh, ja });
