// The names of an instance's phases. Apart from the schema, because lists name them and need no schema.
import { phases as en, rests as enRests } from '../words/en/gpu-instance-phases.ts';
import { phases as ja, rests as jaRests } from '../words/ja/gpu-instance-phases.ts';
import { joined } from '../words/join.ts';
import { phases as zh, rests as zhRests } from '../words/zh/gpu-instance-phases.ts';

export const gpuInstancePhases = joined('GpuInstance.phases', { en, zh, ja });

/** The words of a phase that several resting states share, for each of them; lists can be filtered by them too. */
export const gpuInstanceRests = joined('GpuInstance.rests', { en: enRests, zh: zhRests, ja: jaRests });
