// The names of an instance's phases. Apart from the schema, because lists name them and need no schema.
import { phases as en } from '../words/en/gpu-instance.ts';
import { phases as ja } from '../words/ja/gpu-instance.ts';
import { joined } from '../words/join.ts';
import { phases as zh } from '../words/zh/gpu-instance.ts';

export const gpuInstancePhases = joined('GpuInstance.phases', { en, zh, ja });
