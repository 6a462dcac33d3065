import { REGISTRY } from '@gantry/contract/names.ts';
import { AT, common, metered, type Resting, SOUND_NAMESPACE, soundObject, UID } from './parts.ts';

const ENDED = {
  index: 0,
  pod: 'asked-1-eval-0-abcde',
  startedAt: AT,
  endedAt: AT,
  exit: 'exit code 1',
  exitCode: 1,
  log: { image: `${REGISTRY}/${SOUND_NAMESPACE}/asked.evaluation.log:1-0`, bytes: 1024, isCut: false },
};

export const sound = soundObject(
  'Evaluation',
  'asked',
  {
    displayName: 'asked',
    creator: 'ann',
    startedBy: 'ann',
    power: 'Running',
    runCount: 1,
    subjects: [
      { deployment: 'before' },
      { deployment: 'after', adapter: 'tuned' },
      { model: 'mdl-00000002', version: '2' },
    ],
    tasks: [
      {
        ...{ name: 'Held back', dataset: 'dst-in', version: 3, metric: 'Pairwise' },
        columns: { prompt: 'question', answer: 'answer', system: 'role' },
      },
    ],
    judge: { deployment: 'judge', rubric: 'Is it polite?' },
    baseline: 0,
    limit: 100,
    seed: 7,
    answerTokens: 64,
    maxRejectedPercent: 5,
    maxTokens: 200_000,
    performance: { concurrency: [1, 8], promptTokens: 128, answerTokens: 64, seconds: 20 },
    cores: 2,
    memoryGi: 4,
    host: 'big',
    priority: 'High',
    maxRunMinutes: 600,
    retries: 3,
  },
  {
    ...common('evaluating', 'Running'),
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
      before: { worker: 0, node: 'node-1', exit: 'exit code 1', exitCode: 1, lastLines: 'it was cut' },
      lastLines: 'it was cut',
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
      ...{ run: 2, work: 'c'.repeat(64), digest: 'a'.repeat(64), bytes: 4096 },
      subjects: [
        { model: 'mdl-base', version: 'v1', name: 'Tiny' },
        { model: 'mdl-base', version: 'v2', name: 'Tiny' },
      ],
      datasets: [{ dataset: 'dst-in', name: 'Questions', version: 3 }],
    },
    progress: { run: 2, step: 'asking', done: 30, of: 100, tokens: 4096, at: AT },
    output: { run: 2, examples: 200 },
    scores: [
      { subject: 0, task: 0, metric: 'Pairwise', value: 0.5, low: 0.4, high: 0.6, n: 100 },
      { subject: 1, task: 1, metric: 'F1', value: 1, low: 1, high: 1, n: 100 },
    ],
    outcome: {
      ...{ run: 2, rows: 197, rejected: 3 },
      problem: { code: 'NoSuchColumn', sentence: 'There is no column a.', args: { column: 'a' } },
    },
    ...metered(
      { resource: 'memory', quantity: 4, exact: { count: 4096, unit: 'Mi' } },
      { resource: 'cpu', quantity: 2 },
    ),
    credit: { until: '2026-11-21T11:00:00Z', postedSeq: 1, cost: '1.34 USD' },
  },
  SOUND_NAMESPACE,
);

export const resting: Resting = () => ({ spec: { ...sound.spec, power: 'Stopped' }, status: { phase: 'stopped' } });
