import { REGISTRY } from '@gantry/contract/names.ts';
import { AT, common, metered, type Resting, SOUND_NAMESPACE, soundObject, UID } from './parts.ts';

const ENDED = {
  index: 0,
  pod: 'tuned-1-tune-0-abcde',
  startedAt: AT,
  endedAt: AT,
  exit: 'exit code 1',
  exitCode: 1,
  log: { image: `${REGISTRY}/${SOUND_NAMESPACE}/tuned.finetune.log:1-0`, bytes: 1024, isCut: false },
};

export const sound = soundObject(
  'FineTune',
  'tuned',
  {
    displayName: 'tuned',
    creator: 'ann',
    startedBy: 'ann',
    power: 'Running',
    runCount: 1,
    saveCount: 1,
    freshCount: 1,
    base: { model: 'mdl-base', version: 'v1.0' },
    datasets: [
      { dataset: 'dst-in', version: 3, weight: 0.5 },
      { dataset: 'dst-more', weight: 2 },
    ],
    evalDataset: { dataset: 'dst-eval', version: 1 },
    objective: 'SFT',
    method: 'QLoRA',
    columns: { prompt: 'question', answer: 'answer', system: 'role' },
    parameters: {
      epochs: 3,
      batch: 8,
      accumulate: 2,
      learningRate: 0.0002,
      schedule: 'Linear',
      warmup: 0.05,
      rank: 8,
      alpha: 16,
      dropout: 0.1,
      maxLength: 1024,
      beta: 0.1,
      seed: 7,
    },
    checkpoints: { everySteps: 50, keep: 2 },
    earlyStop: { patience: 3, minDelta: 0.01 },
    workers: 4,
    output: { model: 'mdl-out', form: 'Merged', gguf: true },
    gpu: { model: 'H100', count: 8 },
    cores: 16,
    memoryGi: 64,
    host: 'big',
    priority: 'High',
    maxRunMinutes: 600,
    retries: 3,
  },
  {
    ...common('training', 'Running'),
    run: {
      seq: 2,
      cause: 'retry',
      runCount: 1,
      notBefore: AT,
      queuedAt: AT,
      admittedAt: AT,
      startedAt: AT,
      endedAt: AT,
      exit: 'exit code 1',
      exitCode: 1,
      failures: 1,
      nodeFailures: 1,
      unplaced: 1,
      preemptedAt: AT,
      worker: 0,
      node: 'node-0',
      before: { worker: 0, node: 'node-1', exit: 'exit code 1', exitCode: 1, lastLines: 'NCCL error' },
      lastLines: 'NCCL error',
    },
    excludedNodes: ['node-1'],
    queue: { position: 3, aheadGpus: 16, startsAt: '2026-11-21T11:00:00Z', basis: 'limits', at: AT },
    workers: [{ ...ENDED, podUID: UID, node: 'node-0', podIP: '10.0.0.7', phase: 'running' }],
    runs: [
      {
        seq: 1,
        cause: 'first',
        queuedAt: AT,
        startedAt: AT,
        endedAt: AT,
        exit: 'exit code 1',
        exitCode: 1,
        workers: [ENDED],
      },
    ],
    inputs: {
      ...{ run: 2, model: 'mdl-base', name: 'Tiny', version: 'v1.0', digest: 'a'.repeat(64) },
      ...{ bytes: 4096, baseBytes: 1024 },
      datasets: [
        { dataset: 'dst-in', version: 3 },
        { dataset: 'dst-more', version: 1 },
        { dataset: 'dst-eval', version: 1 },
      ],
    },
    progress: { run: 2, step: 'training', done: 30, of: 100, at: AT },
    training: {
      ...{ run: 2, step: 30, of: 100, epoch: 0.9, loss: 1.25, learningRate: 0.00015, evalLoss: 1.5 },
      ...{ tokens: 65_536, tokensPerSecond: 2048.5, secondsLeft: 140, at: AT },
    },
    checkpoint: { run: 1, step: 20, bytes: 2048, at: AT },
    rehearsal: { run: 2, peakMemoryMi: 40_960, secondsPerStep: 1.5, longest: 900 },
    saved: { count: 1, step: 20, model: 'mdl-out', version: 'v2', digest: 'c'.repeat(64), at: AT },
    output: { run: 2, model: 'mdl-out', version: 'v3', digest: 'b'.repeat(64), form: 'Merged', ended: 'EarlyStop' },
    outcome: {
      ...{ run: 2, rows: 120, rejected: 3 },
      problem: { code: 'NoSuchColumn', sentence: 'There is no column a.', args: { column: 'a' } },
    },
    ...metered(
      { resource: 'memory', quantity: 64, exact: { count: 65_536, unit: 'Mi' } },
      { resource: 'gpu', model: 'H100', quantity: 8 },
      { resource: 'cpu', quantity: 16 },
    ),
    credit: { until: '2026-11-21T11:00:00Z', postedSeq: 1, cost: '12.34 USD' },
  },
  SOUND_NAMESPACE,
);

const { evalDataset: _eval, earlyStop: _stop, ...plain } = sound.spec;
const { epochs: _epochs, ...parameters } = sound.spec.parameters as { epochs: number };
export const forms = [
  { ...plain, columns: { messages: 'messages' }, parameters: { ...parameters, maxSteps: 100 } },
  {
    ...plain,
    objective: 'DPO',
    columns: { prompt: 'prompt', chosen: 'good', rejected: 'bad' },
    output: { name: 'made', form: 'Adapter', gguf: false },
  },
];

export const resting: Resting = () => ({ spec: { ...sound.spec, power: 'Stopped' }, status: { phase: 'stopped' } });
