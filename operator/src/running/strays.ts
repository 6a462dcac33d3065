// Pods of runs that are over. A batch Job may make one while its run ends, before anybody has seen it: what ran of it is billed before
// the Pod goes, and with the others of its run, since a gang is billed from the moment in which it is whole.
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { type TaskRun, type TaskWorker, workersOf } from '@gantry/contract/fields/task.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { instant, iso, openIn, wholeSeconds } from '../metering.ts';
import type { Facts } from './facts.ts';
import { billable, intervalsOf, isSettled } from './intervals.ts';
import { runOf } from './reads.ts';
import { indexOf, isPodOver, usesOf } from './workers.ts';

/** Those of runs of which no Pod runs any more. */
export function endedStrays(f: Pick<Facts, 'strays' | 'seen' | 'now' | 'owner'>): readonly Pod[] {
  const running = new Set(f.strays.filter((pod) => !isPodOver(pod, f)).map(runOf));
  return f.strays.filter((pod) => !running.has(runOf(pod)));
}

/** The line with what ran unseen, by the kubelet's word. */
export function withStrays(f: Facts): readonly Interval[] {
  const { status, owner, now } = f;
  let line: readonly Interval[] = status.intervals ?? [];
  // The next run begins once those of the run before have ended.
  if (openIn(line)) return line;
  const ofRuns = Map.groupBy(endedStrays(f), runOf);
  for (const record of status.runs ?? []) {
    const pods = (ofRuns.get(record.seq) ?? []).filter((pod) => isUnseen(pod, record));
    const late = lateWorkers(pods, record, f).filter(({ index, startedAt, endedAt }) => {
      const [from, to] = [instant(startedAt), instant(endedAt)];
      return from !== undefined && to !== undefined && !isSettled(line, { run: record.seq, index, from, to });
    });
    const [pod] = pods;
    if (!pod || late.length === 0) continue;
    line = intervalsOf(line, {
      subjectUID: pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid ?? identityOf(owner),
      run: record.seq,
      before: [],
      after: late,
      uses: (count) => usesOf(pod, count),
      lastSign: () => now,
      now,
    });
  }
  return line;
}

/** The books have each worker that was seen to have a node. */
const isUnseen = (pod: Pod, { workers = [] }: TaskRun): boolean => !workers.some(({ index }) => index === indexOf(pod));

/** As they are billed. */
function lateWorkers(pods: readonly Pod[], record: TaskRun, { owner, now }: Facts): readonly TaskWorker[] {
  const late = pods.flatMap((pod) => workerIn(pod, now) ?? []);
  const all = Array.from(
    { length: workersOf(owner.spec) },
    (_, index): TaskWorker =>
      late.find((one) => one.index === index) ?? {
        phase: 'waiting',
        ...record.workers?.find((one) => one.index === index),
        index,
      },
  );
  return billable(all, record.startedAt).filter(({ index }) => late.some((one) => one.index === index));
}

/** The worker of a Pod that ran. A start that failed has the year 1970. */
function workerIn(pod: Pod, now: number): TaskWorker | undefined {
  const { startedAt, finishedAt } = pod.status?.containerStatuses?.[0]?.state?.terminated ?? {};
  const [from = 0, to = 0] = [instant(startedAt), instant(finishedAt)];
  const index = indexOf(pod);
  if (from <= 0 || to <= from || to > now || Number.isNaN(index)) return undefined;
  const podUID = pod.metadata.uid;
  const moments = { startedAt: iso(wholeSeconds(from)), endedAt: iso(wholeSeconds(to)) };
  return { index, ...(podUID !== undefined && { podUID }), ...moments, phase: 'failed' };
}
