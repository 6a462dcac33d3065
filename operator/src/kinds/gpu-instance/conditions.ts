// The conditions besides the phase: whether work is kept, what could not be done, what waits for the next start.

import { CAN_START } from '@gantry/contract/billing/credit.ts';
import { type Condition, sentence } from '@gantry/contract/define-kind.ts';
import { type GpuInstancePhase, type GpuInstanceReason, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { nextCondition } from '@gantry/contract/next-condition.ts';
import { quoted } from '@gantry/contract/said.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { instant } from '../../metering.ts';
import { everStarted, wentWithNode } from '../../pod-progress.ts';
import type { Facts } from './facts.ts';
import { roomOf } from './health.ts';
import { homeTied } from './home/hibernation.ts';
import { keyTrouble } from './login.ts';
import { restartNeeded } from './mounts.ts';
import { isUnsaved, runOf, snapshotOf } from './saving/ended-pods.ts';
import { causeOf, whileSaving } from './saving/progress.ts';
import type { Trouble } from './trouble.ts';

type Said = readonly [type: string, is: Condition['status'], why: Trouble | undefined];

export function conditionsOf(f: Facts, phase: GpuInstancePhase, why: Trouble): Condition[] {
  const ready = phase === 'running' && f.pods.progress === 'ready';
  const said: readonly Said[] = [
    [CAN_START, 'False', f.hopeless],
    ['HomeGrown', 'False', growthRefused(f)],
    ['HomeTied', 'True', homeTied(f)],
    roomOf(f),
    keysAccepted(f),
    ['RestartNeeded', 'True', restartNeeded(f)],
  ];
  return [
    worded(f, 'Ready', ready ? 'True' : 'False', why),
    rootKept(f),
    ...said.flatMap(([type, is, why]) => (why ? [worded(f, type, is, why)] : [])),
  ];
}

function worded(f: Facts, type: string, status: Condition['status'], { reason, args }: Trouble): Condition {
  const message = sentence(gpuInstance.reasons[reason], 'en', args);
  return nextCondition(f.status.conditions, { type, status, reason, message, args }, f.now);
}

function keysAccepted(f: Facts): Said {
  const trouble = keyTrouble(f);
  const hasKeys = (f.owner.spec.sshKeys?.length ?? 0) > 0;
  return [
    'KeysAccepted',
    trouble ? 'False' : 'True',
    trouble ?? (hasKeys ? { reason: 'KeysAccepted', args: {} } : undefined),
  ];
}

const growthRefused = ({ home: { growthRefused: detail } }: Facts): Trouble | undefined =>
  detail === undefined ? undefined : { reason: 'HomeNotGrown', args: { detail } };

/** Losses that are reported until a later save succeeds. */
const LOSSES: readonly string[] = ['SaveFailed', 'ContainerGone', 'RootLost'] satisfies GpuInstanceReason[];

/** Whether a container's changes outside its home are kept. At rest the last state stands. */
function rootKept(f: Facts): Condition {
  const next = (is: Condition['status'], why: Trouble) => worded(f, 'RootKept', is, why);
  const known = f.status.conditions?.find(({ type }) => type === 'RootKept');
  const isMended = (instant(f.status.root?.savedAt) ?? 0) >= (instant(known?.lastTransitionTime) ?? 0);
  const saving = whileSaving(f);
  if (saving) return next('Unknown', saving);
  const loss = f.pods.spent.map((pod) => lossOf(pod, f)).find((one) => one !== undefined);
  if (loss) return next('False', loss);
  if (known && LOSSES.includes(known.reason) && !isMended) return known;
  const node = f.pods.progress === 'finished' ? undefined : f.pods.current?.spec?.nodeName;
  if (node !== undefined && !f.seen.agents.includes(node))
    return next('False', { reason: 'NoAgentOnNode', args: { node } });
  if (node !== undefined || (f.status.root && (known?.status !== 'False' || isMended)))
    return next('True', { reason: 'RootSaved', args: {} });
  return known ?? next('Unknown', { reason: 'NothingRan', args: {} });
}

/** The parts of an ended container that could not be saved, and why. */
function lossOf(pod: Pod, f: Facts): Trouble | undefined {
  if (f.deleting || !everStarted(pod) || isUnsaved(pod, f) || runOf(pod) <= (f.status.root?.seq ?? 0)) return undefined;
  const run = String(runOf(pod));
  const save = snapshotOf(pod, f.seen.snapshots);
  if (save?.status?.phase === 'failed')
    return save.status.reason === 'ContainerGone'
      ? { reason: 'ContainerGone', args: { run } }
      : { reason: 'SaveFailed', args: { run, ...quoted('detail', causeOf(save)) } };
  if (wentWithNode(pod)) return { reason: 'RootLost', args: { run } };
  return { reason: 'NoAgentOnNode', args: { node: pod.spec?.nodeName ?? '' } };
}
