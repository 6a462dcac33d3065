// Builders for tests of this kind: a task, its inputs, and its worker.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { FineTune, FineTuneStatus } from '@gantry/contract/kinds/fine-tune.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { at, batch as batchOf, metadata, worker as workerOf } from '../../../running/testing/data-task.ts';

export const fineTune = (status: FineTuneStatus = {}, spec: Partial<FineTune['spec']> = {}): FineTune => ({
  apiVersion: API_VERSION,
  kind: 'FineTune',
  metadata: metadata(),
  spec: {
    power: 'Running',
    runCount: 0,
    saveCount: 0,
    freshCount: 0,
    base: { model: 'mdl-base', version: 'v1' },
    datasets: [{ dataset: 'dst-in', weight: 1 }],
    objective: 'SFT',
    method: 'LoRA',
    parameters: {
      ...{ batch: 8, accumulate: 1, schedule: 'Cosine', warmup: 0.03, rank: 16, alpha: 32, dropout: 0 },
      ...{ maxLength: 2048, beta: 0.1, seed: 0 },
    },
    checkpoints: { keep: 3 },
    workers: 1,
    output: { name: 'base', gguf: false },
    cores: 2,
    memoryGi: 8,
    priority: 'Normal',
    retries: 1,
    ...spec,
  },
  status,
});

/** 10 MB of files, 8 MB of them the base, listed for a run. */
export const inputs = (seq = 1) => ({
  run: seq,
  model: 'mdl-base',
  version: 'v1',
  digest: 'd'.repeat(64),
  bytes: 10_000_000,
  baseBytes: 8_000_000,
  datasets: [{ dataset: 'dst-in', version: 3 }],
});

export const batch = (seq = 1, workers = 1) => batchOf(fineTune(), seq, workers);
export const worker = (state: Parameters<typeof workerOf>[1], index = 0) => workerOf(fineTune(), state, index);

/** Its files arrived, and it is on trial, or has failed at it. */
export function rehearsing(state: 'running' | { exitCode: number; reason?: string; message?: string }): Pod {
  const pod = worker('receiving');
  const isOver = typeof state === 'object';
  const ended = { reason: 'Error', startedAt: at(3), finishedAt: at(20) };
  const past = { terminated: { ...ended, reason: 'Completed', exitCode: 0 } };
  const now = isOver ? { terminated: { ...ended, ...state } } : { running: { startedAt: at(3) } };
  const initContainerStatuses = [
    { name: 'agent', state: past },
    { name: 'inputs', state: past },
    { name: 'rehearsal', state: now },
  ];
  const phase = isOver ? 'Failed' : 'Pending';
  return { ...pod, status: { ...pod.status, phase, initContainerStatuses } } as unknown as Pod;
}
