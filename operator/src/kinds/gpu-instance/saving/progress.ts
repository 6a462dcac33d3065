// How far a save is, and what keeps it from getting through.
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Snapshot, snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { AGENT_AWAY_MS } from '@gantry/contract/names.ts';
import { quoted, type Said, saidByStatus } from '@gantry/contract/said.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { instant } from '../../../metering.ts';
import type { Facts } from '../facts.ts';
import type { Trouble } from '../trouble.ts';
import { runOf, snapshotOf } from './ended-pods.ts';

/** Since when an agent counts as away: it renews its Lease every twenty seconds. Undefined if there is none to wait for. */
export function awaySince(node: string, { seen }: Pick<Facts, 'seen'>): Instant | undefined {
  const sign = instant(seen.signsOfLife[node]);
  return sign === undefined ? undefined : sign + AGENT_AWAY_MS;
}

export const isAway = (node: string, f: Pick<Facts, 'seen' | 'now'>): boolean =>
  (awaySince(node, f) ?? Number.POSITIVE_INFINITY) <= f.now;

/** The state of a save that does not succeed. */
export function saveTrouble(node: string, save: Snapshot | undefined, f: Facts): Trouble | undefined {
  const { phase, reason } = save?.status ?? {};
  const waits = phase !== 'ready' && phase !== 'failed';
  if (waits && isAway(node, f)) return { reason: 'AgentAway', args: { node } };
  // Between two attempts it is processing again, and the last obstacle is still the best information.
  const triesAgain = phase === 'processing' && reason !== 'Retrying' && (save?.status?.attempts ?? 0) > 0;
  if (triesAgain && f.status.reason === 'SaveRetrying')
    return { reason: 'SaveRetrying', args: f.status.reasonArgs ?? {} };
  if (waits && reason === 'Retrying') return { reason: 'SaveRetrying', args: quoted('detail', causeOf(save)) };
  return undefined;
}

/** The cause, without the sentence around it where somebody else said it. */
export function causeOf(save: Snapshot | undefined): Said {
  const detail = save?.status?.reasonArgs?.detail;
  return detail === undefined ? saidByStatus(snapshot.kind, save?.status ?? {}) : { message: detail, args: {} };
}

/** For an ended container that is not saved yet. */
export function whileSaving(f: Facts): Trouble | undefined {
  const [pod] = f.pods.unsaved;
  if (!pod) return undefined;
  const save = snapshotOf(pod, f.seen.snapshots);
  return saveTrouble(pod.spec?.nodeName ?? '', save, f) ?? f.saveRefused ?? { reason: 'SavingRoot', args: {} };
}

/** The save under way or the last one, as views show it. */
export function shownSnapshot({ seen, status }: Facts): GpuInstanceStatus['snapshot'] {
  const latest = seen.snapshots.reduce<Snapshot | undefined>(
    (best, one) =>
      best && (runOf(best) > runOf(one) || (runOf(best) === runOf(one) && best.spec.of !== 'Root')) ? best : one,
    undefined,
  );
  if (!latest) return undefined;
  const { phase = 'processing', reason, reasonArgs: args, message } = latest.status ?? {};
  const isNews = reason === 'Retrying' || phase === 'failed';
  const known = status.snapshot;
  if (!isNews && phase === 'processing' && known?.phase === phase && known.name === latest.metadata.name) return known;
  return {
    name: latest.metadata.name,
    phase,
    ...(isNews && message !== undefined && { message, ...(reason && { reason }), ...(args && { args }) }),
  };
}
