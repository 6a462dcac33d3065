// Images of engines that an installation names in place of this release's own: a newer vLLM, a llama.cpp that computes on GPUs.
import { ENGINES, type Engine } from './engines.ts';

/** `llama.cpp-gpu`: for replicas with GPUs, which llama.cpp has only where this is named. */
export const ENGINE_IMAGES = [...ENGINES, 'llama.cpp-gpu'] as const;
export type EngineImages = Readonly<Partial<Record<(typeof ENGINE_IMAGES)[number], string>>>;

/** Undefined: the release's own. */
export const imageOf = (images: EngineImages, engine: Engine, hasGpu: boolean): string | undefined =>
  images[engine === 'llama.cpp' && hasGpu ? 'llama.cpp-gpu' : engine];

/** Engines that compute on GPUs here, besides those that do everywhere. */
export const onGpusToo = (images: EngineImages): readonly Engine[] => (images['llama.cpp-gpu'] ? ['llama.cpp'] : []);
