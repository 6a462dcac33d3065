// Lives of a Job to crash in: one in a real container, whose log is saved; one that loses a worker, is suspended, resumed and
// deleted while it runs; one that is deleted in the queue; and a schedule that is told to run.
import type { Job, JobStatus } from '@gantry/contract/kinds/job.ts';
import { MODELS } from '../../../hack/kwok/nodes.ts';
import type { Scenario } from '../crash-scenarios.ts';
import type { Arena } from './arena.ts';
import { type SubjectLife, subjectScenario } from './subject-scenario.ts';

const isRun =
  (seq: number, phase: string) =>
  ({ status }: Job): boolean =>
    status?.phase === phase && status.run?.seq === seq;
const isLogKept = ({ runs }: JobStatus): boolean => runs?.[0]?.workers?.[0]?.log !== undefined;

const LIVES: readonly SubjectLife<Job>[] = [
  {
    name: 'job',
    spec: {
      gpu: null,
      cores: 0.1,
      memoryGi: 0.0625,
      command: ['sh', '-c', 'echo ready; trap "exit 143" TERM; sleep 600 & wait'],
    },
    run: async (one) => {
      await one.reaches('running');
      await one.wish({ power: 'Stopped' });
      await one.becomes('stopped, its log kept', ({ status }) => status?.phase === 'stopped' && isLogKept(status));
    },
  },
  {
    name: 'job-again',
    spec: { workers: 2 },
    run: async (one, arena) => {
      await one.reaches('running');
      const [worker] = one.living;
      await arena.call({
        method: 'DELETE',
        path: `/api/v1/namespaces/${one.namespace}/pods/${worker?.metadata.name}`,
      });
      await one.becomes('running again', isRun(2, 'running'));
      await one.wish({ power: 'Suspended' });
      await one.reaches('suspended');
      await one.wish({ power: 'Running' });
      await one.becomes('resumed', isRun(3, 'running'));
    },
  },
  {
    name: 'job-queued',
    // More than the pool has of them, and no more than the quota.
    spec: { gpu: { model: MODELS.rtx4090.product, count: MODELS.rtx4090.perNode }, workers: 4 },
    // Not at rest before the queue has answered.
    run: (one) => one.becomes('judged by the queue', ({ status }) => status?.reason === 'NotFitting'),
  },
  {
    name: 'schedule',
    spec: {
      command: ['sleep', '1'],
      schedule: { cron: '0 0 29 2 *', timeZone: 'UTC', concurrency: 'Forbid', startWithinMinutes: 5, keep: 3 },
    },
    run: async (one, arena) => {
      await one.reaches('scheduled');
      await one.wish({ runCount: 1 });
      const child = arena.job(`${one.name}-r1`, one.namespace);
      await child.reaches('succeeded');
      await one.becomes('told of its end', ({ status }) => status?.schedule?.runCount === 1);
      return child.now;
    },
  },
];

export const jobScenarios = (arena: () => Arena, namespace: () => string): readonly Scenario[] =>
  LIVES.map((life) => subjectScenario(life, arena, (place) => arena().job(place, namespace())));
