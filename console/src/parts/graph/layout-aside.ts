// A layout in a worker of its own, which ends with it.
import type { Placed, Structure } from './layout-of.ts';

/** Rejects if the worker cannot run. Nothing comes of one that is aborted. */
export async function layoutAside(structure: Structure, signal: AbortSignal): Promise<Placed[]> {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  signal.addEventListener('abort', () => worker.terminate());
  return new Promise<Placed[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Placed[]>) => resolve(data);
    worker.onerror = reject;
    worker.postMessage(structure);
  }).finally(() => worker.terminate());
}
