// Builders for tests of this kind: an evaluation, its inputs, and its worker.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { Evaluation, EvaluationStatus } from '@gantry/contract/kinds/evaluation.ts';
import { batch as batchOf, metadata, worker as workerOf } from '../../../running/testing/data-task.ts';

export const evaluation = (status: EvaluationStatus = {}, spec: Partial<Evaluation['spec']> = {}): Evaluation => ({
  apiVersion: API_VERSION,
  kind: 'Evaluation',
  metadata: metadata(),
  spec: {
    power: 'Running',
    runCount: 0,
    subjects: [{ deployment: 'before' }, { deployment: 'after' }],
    tasks: [{ dataset: 'dst-in', metric: 'ExactMatch' }],
    baseline: 0,
    seed: 0,
    answerTokens: 256,
    maxRejectedPercent: 10,
    cores: 1,
    memoryGi: 2,
    priority: 'Normal',
    retries: 1,
    ...spec,
  },
  status,
});

/** 10 MB of rows, listed for a run. */
export const inputs = (seq = 1) => ({
  ...{ run: seq, work: 'c'.repeat(64), digest: 'd'.repeat(64), bytes: 10_000_000 },
  subjects: [
    { model: 'mdl-base', version: 'v1' },
    { model: 'mdl-base', version: 'v2' },
  ],
  datasets: [{ dataset: 'dst-in', version: 3 }],
});

export const batch = () => batchOf(evaluation());
export const worker = (state: Parameters<typeof workerOf>[1]) => workerOf(evaluation(), state);
