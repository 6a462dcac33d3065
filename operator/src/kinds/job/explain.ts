// Why the job is in its phase: a reason of the contract and the numbers and names for its sentence.

import { exitCodeSaid } from '@gantry/contract/kinds/exits.ts';
import type { JobPhase } from '@gantry/contract/kinds/job.ts';
import { BASIS_WORDS } from '@gantry/contract/kinds/job-words.ts';
import { type Args, quoted, said } from '@gantry/contract/said.ts';
import { instant } from '../../metering.ts';
import type { Facts, Run, Trouble } from './facts.ts';
import type { Queue } from './queue.ts';
import { NOT_ALL_STARTED, TOO_LONG, verdictOf } from './retries.ts';
import { mostCards } from './room.ts';

const plain = (reason: Trouble['reason']): Trouble => ({ reason, args: {} });

export function explain(f: Facts, phase: JobPhase, queue: Queue | undefined): Trouble {
  switch (phase) {
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
      return plain('Succeeded');
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
  const code = /^exit code (\d+)$/.exec(exit)?.[1];
  return {
    worker: String(worker),
    ...(code === undefined ? { ended: exit } : quoted('ended', exitCodeSaid(code, lastLines))),
  };
}

/** Why nothing follows the run. */
function failure({ owner: { spec } }: Facts, run: Run): Trouble {
  const worker = String(run.worker ?? 0);
  switch (verdictOf(run)) {
    case 'tooLong':
      return { reason: 'TookTooLong', args: { minutes: String(spec.maxRunMinutes ?? '') } };
    case 'node':
    case 'platform':
      return { reason: 'NodeFailedOften', args: { times: String((run.nodeFailures ?? 0) + 1) } };
    default:
      if (run.exit === 'OOMKilled') return { reason: 'OutOfMemory', args: { worker, memoryGi: String(spec.memoryGi) } };
      return (run.failures ?? 0) > 0
        ? { reason: 'RetriesUsed', args: { ...endedArgs(run), times: String((run.failures ?? 0) + 1) } }
        : { reason: 'ProgramFailed', args: endedArgs(run) };
  }
}

function starting({ workers, owner, seen }: Facts): Trouble {
  const stuck = stuckIn(
    seen.pods.filter(({ metadata }) => workers.some((one) => one.podUID === metadata.uid)),
    owner.spec,
  );
  if (stuck) return stuck;
  const ready = workers.filter(({ startedAt }) => startedAt !== undefined).length;
  if (ready === 0 && workers.some(({ phase }) => phase === 'starting')) return plain('PullingImage');
  return { reason: 'WorkersStarting', args: { ready: String(ready), workers: String(workers.length) } };
}

const WAITING: Readonly<Record<string, 'ImageNotFound' | 'BadConfig'>> = {
  ErrImagePull: 'ImageNotFound',
  ImagePullBackOff: 'ImageNotFound',
  InvalidImageName: 'ImageNotFound',
  ErrImageNeverPull: 'ImageNotFound',
  CreateContainerConfigError: 'BadConfig',
  CreateContainerError: 'BadConfig',
  RunContainerError: 'BadConfig',
};

const brief = (message: string): string => message.split(': ').slice(-2).join(': ').slice(0, 200);

/** The kubelet's reason why a container does not start. */
function stuckIn(pods: Facts['seen']['pods'], { image, secretEnv = [] }: Facts['owner']['spec']): Trouble | undefined {
  for (const pod of pods) {
    const { reason: why = '', message = '' } = pod.status?.containerStatuses?.[0]?.state?.waiting ?? {};
    const reason = Object.hasOwn(WAITING, why) ? WAITING[why] : undefined;
    if (!reason) continue;
    const missing = secretEnv.find(
      ({ secret, key }) => message.includes(`"${secret}"`) && (message.includes('not found') || message.includes(key)),
    );
    if (reason === 'BadConfig' && missing)
      return { reason: 'SecretMissing', args: { secret: missing.secret, key: missing.key } };
    return { reason, args: { ...(reason === 'ImageNotFound' && { image }), detail: brief(message || why) } };
  }
  return undefined;
}

function queued(f: Facts, queue: Queue | undefined): Trouble {
  const { seen, owner, run } = f;
  if (!f.batch) return f.trouble ?? plain('QueueSilent');
  const { gpu, workers } = owner.spec;
  if (seen.place?.neverFits && gpu)
    return {
      reason: 'NotFitting',
      args: {
        count: String(gpu.count * workers),
        model: gpu.model,
        most: String(mostCards(seen.room ?? [], gpu.model)),
      },
    };
  // Kueue also takes back the place of a run whose Pods do not start.
  const isLate = seen.place?.evictedBecause === 'PodsReadyTimeout';
  if (run?.preemptedAt !== undefined && !isLate) return plain('Preempted');
  if (!queue) return plain('QueueSilent');
  const args = { position: String(queue.position), gpus: String(queue.aheadGpus) };
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
  if (credit.trouble) return credit.trouble;
  if (credit.hasTooManyRuns) return plain('UsageNotPosted');
  const after = run?.before && afterEnd(run, f);
  if (after && (instant(run?.notBefore) ?? 0) > now) return after;
  return trouble ?? after ?? plain('QueueSilent');
}

function afterEnd(run: Run, { owner: { spec }, settings, status }: Facts): Trouble | undefined {
  const { before = {}, failures = 0, notBefore = '' } = run;
  const verdict = verdictOf(before);
  if (before.exit === NOT_ALL_STARTED) {
    const ready = status.runs?.[0]?.workers?.filter(({ startedAt }) => startedAt !== undefined).length ?? 0;
    const minutes = String(Math.round(settings.createTimeoutMs / 60_000));
    return { reason: 'NotAllStarted', args: { ready: String(ready), workers: String(spec.workers), minutes } };
  }
  if (before.exit === TOO_LONG) return undefined;
  if (verdict === 'program')
    return {
      reason: 'RetryAt',
      args: { ...endedArgs(before), at: notBefore, try: String(failures + 1), tries: String((spec.retries ?? 0) + 1) },
    };
  const worker = String(before.worker ?? 0);
  if (verdict === 'platform') return { reason: 'WorkerTaken', args: { worker } };
  return { reason: 'NodeFailed', args: { node: before.node ?? '–', worker } };
}
