// Why the task is in its phase: a reason of the contract and the numbers and names for its sentence.

import { workersOf } from '@gantry/contract/fields/task.ts';
import { TASK_REHEARSAL } from '@gantry/contract/kinds/data-task.ts';
import { exitSaid } from '@gantry/contract/kinds/exits.ts';
import { BASIS_WORDS } from '@gantry/contract/kinds/job-words.ts';
import { type Args, quoted, said } from '@gantry/contract/said.ts';
import { instant } from '../metering.ts';
import type { Facts, Run } from './facts.ts';
import type { Queue } from './queue.ts';
import type { Stage, Trouble } from './ran.ts';
import { INPUTS_NOT_FETCHED, isStuck, meaningOf, NOT_ALL_STARTED, TOO_LONG, verdictOf } from './retries.ts';
import { stuckIn } from './stuck.ts';

const plain = (reason: Trouble['reason']): Trouble => ({ reason, args: {} });

export function explain(f: Facts, stage: Stage, queue: Queue | undefined): Trouble {
  switch (stage) {
    case 'releasing':
      return plain('Releasing');
    case 'released':
      return plain('Released');
    case 'lost_contact':
      return silentNode(f);
    case 'stopping':
    case 'suspending':
      return f.credit.isOut ? (f.credit.trouble ?? plain('Ending')) : plain('Ending');
    case 'stopped':
      return plain('Stopped');
    case 'suspended':
      return (f.owner.spec.power === 'Running' ? (f.credit.trouble ?? f.trouble) : undefined) ?? plain('Suspended');
    case 'succeeded':
      return f.ran.succeeded?.(f.owner) ?? plain('Succeeded');
    case 'failed':
      return f.status.run ? failure(f, f.status.run) : plain('Stopped');
    case 'running':
      return f.run?.exit === undefined ? plain('Running') : plain('Ending');
    case 'starting':
      return f.run?.exit === undefined ? starting(f) : plain('Ending');
    case 'queued':
      return queued(f, queue);
    default:
      return preparing(f);
  }
}

function silentNode({ workers }: Facts): Trouble {
  const lost = workers.find(({ phase }) => phase === 'lost');
  return { reason: 'NodeLost', args: { node: lost?.node ?? '', worker: String(lost?.index ?? 0) } };
}

interface End {
  worker?: number | undefined;
  exit?: string | undefined;
  exitCode?: number | undefined;
  lastLines?: string | undefined;
}

/** How a program ended, in words, after what it wrote. */
function endedArgs({ worker = 0, exit = '', lastLines }: End): Args {
  const ended = exitSaid(exit, lastLines);
  return { worker: String(worker), ...(ended ? quoted('ended', ended) : { ended: exit }) };
}

/** Why nothing follows the run. */
function failure({ ran, owner, status, settings }: Facts, run: Run): Trouble {
  const { spec } = owner;
  const worker = String(run.worker ?? 0);
  const meaning = meaningOf(ran, run);
  if (meaning) return { reason: meaning.reason, args: meaning.args?.(owner) ?? {} };
  switch (verdictOf(run)) {
    case 'tooLong':
      return { reason: 'TookTooLong', args: { minutes: String(spec.maxRunMinutes ?? '') } };
    case 'node':
    case 'platform':
      return { reason: 'NodeFailedOften', args: { times: String((run.nodeFailures ?? 0) + 1) } };
    case 'notStarted':
      if (run.exit === INPUTS_NOT_FETCHED) return notFetched(run);
      return isStuck(run.exit)
        ? stuckFor(run, spec)
        : { reason: 'NeverStarted', args: startedArgs({ status, settings, owner: { spec } }) };
    default:
      if (run.exit === 'OOMKilled') return { reason: 'OutOfMemory', args: { worker, memoryGi: String(spec.memoryGi) } };
      return (run.failures ?? 0) > 0
        ? { reason: 'RetriesUsed', args: { ...endedArgs(run), times: String((run.failures ?? 0) + 1) } }
        : { reason: 'ProgramFailed', args: endedArgs(run) };
  }
}

const notFetched = ({ lastLines: detail = '–' }: End): Trouble => ({ reason: INPUTS_NOT_FETCHED, args: { detail } });

/** As its worker was stuck when the run was given up. */
const stuckFor = ({ exit, lastLines: detail = '–' }: End, { image = '–' }: Facts['owner']['spec']): Trouble =>
  exit === 'ImageNotFound' ? { reason: exit, args: { image, detail } } : { reason: 'BadConfig', args: { detail } };

/** Arguments of the message about the run that ended last. */
function startedArgs({
  status,
  settings,
  owner,
}: Pick<Facts, 'status' | 'settings'> & { owner: Pick<Facts['owner'], 'spec'> }): Args {
  const ready = status.runs?.[0]?.workers?.filter(({ startedAt }) => startedAt !== undefined).length ?? 0;
  const minutes = String(Math.round(settings.createTimeoutMs / 60_000));
  return { ready: String(ready), workers: String(workersOf(owner.spec)), minutes };
}

function starting(f: Facts): Trouble {
  const { workers } = f;
  const stuck = stuckIn(f);
  if (stuck) return stuck;
  const ready = workers.filter(({ startedAt }) => startedAt !== undefined).length;
  if (ready === 0 && workers.some(({ phase }) => phase === 'starting'))
    return plain(workers.some(isRehearsing) ? 'Rehearsing' : 'PullingImage');
  return { reason: 'WorkersStarting', args: { ready: String(ready), workers: String(workers.length) } };
}

const isRehearsing = ({ pod_: pod }: Facts['workers'][number]): boolean =>
  pod?.status?.initContainerStatuses?.some(({ name, state }) => name === TASK_REHEARSAL && !!state?.running) ?? false;

function queued(f: Facts, queue: Queue | undefined): Trouble {
  const { seen, run } = f;
  if (!f.batch) return f.trouble ?? plain('QueueSilent');
  if (f.trouble) return f.trouble;
  // Kueue also takes back the place of a run whose Pods do not start.
  const isLate = seen.place?.evictedBecause === 'PodsReadyTimeout';
  if (run?.preemptedAt !== undefined && !isLate) return plain('Preempted');
  if (!queue) return plain('QueueSilent');
  const args = { position: String(queue.position), gpus: String(queue.aheadGpus) };
  if (queue.because !== undefined)
    return { reason: 'InQueueBecause', args: { position: args.position, detail: queue.because } };
  if (queue.startsAt === undefined) return { reason: 'InQueue', args };
  return {
    reason: 'InQueueUntil',
    args: { ...args, at: queue.startsAt, ...quoted('basis', said(BASIS_WORDS[queue.basis])) },
  };
}

/** Between runs: what holds the next one back, or why it is needed. */
function preparing(f: Facts): Trouble {
  const { credit, trouble, run, now } = f;
  if (run?.exit !== undefined) return plain('Ending');
  // Nothing is reserved for what cannot start.
  if (f.hopeless) return f.hopeless;
  if (credit.trouble) return credit.trouble;
  if (credit.hasTooManyRuns) return plain('UsageNotPosted');
  const after = run?.before && afterEnd(run, f);
  if (after && (instant(run?.notBefore) ?? 0) > now) return after;
  return trouble ?? after ?? plain('QueueSilent');
}

function afterEnd(run: Run, { ran, owner, settings, status }: Facts): Trouble | undefined {
  const { spec } = owner;
  const { before = {}, failures = 0, notBefore = '' } = run;
  const verdict = verdictOf(before);
  if (before.exit === NOT_ALL_STARTED)
    return { reason: 'NotAllStarted', args: startedArgs({ status, settings, owner }) };
  if (before.exit === INPUTS_NOT_FETCHED) return notFetched(before);
  if (isStuck(before.exit)) return stuckFor(before, spec);
  if (verdict === 'unplaced') return { reason: 'NotAllPlaced', args: { workers: String(workersOf(spec)) } };
  if (before.exit === TOO_LONG) return undefined;
  if (verdict === 'program') {
    const meaning = meaningOf(ran, before);
    const tries = { at: notBefore, try: String(failures + 1), tries: String((spec.retries ?? 0) + 1) };
    return meaning
      ? { reason: meaning.reason, args: { ...meaning.args?.(owner), ...tries } }
      : { reason: 'RetryAt', args: { ...endedArgs(before), ...tries } };
  }
  const worker = String(before.worker ?? 0);
  if (verdict === 'platform') return { reason: 'WorkerTaken', args: { worker } };
  return { reason: 'NodeFailed', args: { node: before.node ?? '–', worker } };
}
