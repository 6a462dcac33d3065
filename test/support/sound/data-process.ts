import { REGISTRY } from '@gantry/contract/names.ts';
import { AT, common, metered, type Resting, SOUND_NAMESPACE, soundObject, UID } from './parts.ts';

const ENDED = {
  index: 0,
  pod: 'pairs-1-data-0-abcde',
  startedAt: AT,
  endedAt: AT,
  exit: 'exit code 1',
  exitCode: 1,
  log: { image: `${REGISTRY}/${SOUND_NAMESPACE}/pairs.dataprocess.log:1-0`, bytes: 1024, isCut: false },
};

export const sound = soundObject(
  'DataProcess',
  'pairs',
  {
    displayName: 'pairs',
    creator: 'ann',
    startedBy: 'ann',
    power: 'Running',
    runCount: 1,
    type: 'QaPairs',
    input: { dataset: 'dst-in', version: 3, columns: ['text'] },
    output: { dataset: 'dst-out' },
    model: 'acme/chat:lora',
    qa: { pairsPerChunk: 3, rules: 'Model', prompt: 'For beginners.\nIn short sentences.' },
    maxRejectedPercent: 10,
    maxTokens: 1_000_000,
    cores: 1,
    memoryGi: 2,
    host: 'big',
    priority: 'High',
    maxRunMinutes: 60,
    retries: 3,
  },
  {
    ...common('processing', 'Running'),
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
      before: { worker: 0, node: 'node-1', exit: 'exit code 1', exitCode: 1, lastLines: 'the table is cut' },
      lastLines: 'the table is cut',
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
    inputs: { run: 2, dataset: 'dst-in', name: 'handbook', version: 3, digest: 'a'.repeat(64), bytes: 1024 },
    output: { run: 2, dataset: 'dst-out', version: 7, digest: 'b'.repeat(64), rows: 12, ended: 'TokenBudgetSpent' },
    progress: { run: 2, step: 'asking', done: 3, of: 10, failed: 1, skipped: 1, rejected: 2, tokens: 4096, at: AT },
    outcome: {
      run: 2,
      problem: { code: 'TooManyUnits', sentence: 'More than 9 units are not done in one task.', args: { most: '9' } },
      removed: { Duplicate: 4 },
      masked: { email: 2 },
    },
    ...metered(
      { resource: 'memory', quantity: 2, exact: { count: 2048, unit: 'Mi' } },
      { resource: 'cpu', quantity: 1 },
    ),
    credit: { until: '2026-11-21T11:00:00Z', postedSeq: 1, cost: '12.34 USD' },
  },
  SOUND_NAMESPACE,
);

const { qa: _qa, ...plain } = sound.spec;
/** Each type has a block of its own. */
export const forms = [
  { ...plain, type: 'KnowledgeBase', chunks: { maxTokens: 512, overlap: 64 } },
  { ...plain, type: 'KnowledgeGraph', graph: { entityTypes: ['Person', 'Place'] } },
  {
    ...plain,
    type: 'Clean',
    clean: { duplicates: 'Near', maskPersonalData: true, minChars: 10, maxChars: 1000, languages: ['en', 'zh'] },
  },
  {
    ...plain,
    type: 'Split',
    split: {
      parts: [
        { name: 'train', percent: 90 },
        { name: 'test', percent: 10 },
      ],
      seed: 7,
    },
  },
  { ...plain, type: 'Convert', convert: { format: 'Csv', columns: ['text'] } },
];

export const resting: Resting = () => ({ spec: { ...sound.spec, power: 'Stopped' }, status: { phase: 'stopped' } });
