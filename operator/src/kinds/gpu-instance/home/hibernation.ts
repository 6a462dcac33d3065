// A home whose volume is tied to one node leaves that node when its instance hibernates: its files move into the registry, and
// the next run brings them back on a new claim of whichever node it gets.
// A claim goes only once its files are recorded as saved; a saved home goes only once a container started on its copy.

import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { quoted } from '@gantry/contract/said.ts';
import { isTerminal } from '@gantry/kube/core-objects.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { everStarted } from '../../../pod-progress.ts';
import type { Children, Facts } from '../facts.ts';
import { isTerminating } from '../reads.ts';
import { runOf } from '../saving/ended-pods.ts';
import { causeOf, saveTrouble } from '../saving/progress.ts';
import type { Trouble } from '../trouble.ts';
import { isBeingRestored, type SavedHome } from './claim.ts';
import { homeSnapshots } from './home-facts.ts';
import { desiredHomeSnapshot, desiredKeeper, homeSnapshotName } from './keeper.ts';

/** The home's place in the registry, to be recorded. */
export function savedHome({ status, power, home: { claim, save, isBeingMoved }, pods }: Facts): SavedHome | undefined {
  const known = status.home;
  if (known) {
    if (pods.current && everStarted(pods.current)) return undefined;
    // The claim was never taken away: it is the home, and the copy is not needed.
    const isUntouched = power !== 'Hibernated' && claim && !isTerminating(claim) && !isBeingRestored(claim, known);
    return isUntouched ? undefined : known;
  }
  const { phase, digest, finishedAt, sizeBytes } = save?.status ?? {};
  if (!isBeingMoved || !save || phase !== 'ready' || digest === undefined) return undefined;
  return {
    image: `${save.spec.target}@${digest}`,
    seq: runOf(save),
    savedAt: finishedAt ?? save.metadata.creationTimestamp ?? '',
    ...(sizeBytes !== undefined && { sizeBytes }),
  };
}

/** One step of moving the home into the registry: its keeper, its save, and at last its claim. */
export function moveHome(f: Facts): Children {
  const { owner, seen, settings, status, run } = f;
  const { claim, isBeingMoved } = f.home;
  const { keeper, current, spent } = f.pods;
  const { tie } = seen;
  const useless = homeSnapshots(seen).filter((one) => !one.metadata.deletionTimestamp && isSuperseded(one, f));
  const remove = useless.map(targetOf);
  if (!isBeingMoved || status.home) {
    const gone = keeper && !isTerminating(keeper) ? [targetOf(keeper)] : [];
    // Only with nobody left on it: the claim's deletion would wait for them anyway.
    const isFree = !keeper && !current && spent.length === 0;
    const claims = isBeingMoved && isFree && claim && !isTerminating(claim) ? [targetOf(claim)] : [];
    return { remove: [...remove, ...gone, ...claims] };
  }
  if (run || current || spent.length > 0 || !tie || (claim && isTerminating(claim))) return { remove };
  if (!keeper) return { remove, create: [desiredKeeper(owner, tie.node, settings)] };
  if (isTerminating(keeper)) return { remove };
  if (isTerminal(keeper)) return { remove: [...remove, targetOf(keeper)] };
  const seq = status.run?.seq ?? 0;
  const isNamed = seen.snapshots.some(({ metadata }) => metadata.name === homeSnapshotName(owner, seq));
  if (isNamed || !keeper.status?.containerStatuses?.[0]?.state?.running) return { remove };
  return { remove, create: [desiredHomeSnapshot(owner, keeper, tie.node, seq)] };
}

/** For a home that is not saved, for a holder that no longer exists, or from an earlier hibernation. */
function isSuperseded(snapshot: Snapshot, { deleting, status, power, home, pods: { keeper } }: Facts): boolean {
  if (deleting) return false;
  if (status.home) return runOf(snapshot) !== status.home.seq;
  if (!home.isBeingMoved)
    return !(power === 'Hibernated' && snapshot.status?.phase === 'failed' && snapshot === home.save);
  if (snapshot !== home.save) return true;
  return snapshot.status?.phase !== 'ready' && keeper !== undefined && keeper.metadata.uid !== snapshot.spec.podUID;
}

/** The reason why hibernation still waits. */
export function whileMoving(f: Facts): Trouble | undefined {
  const node = f.seen.tie?.node;
  if (!f.home.isBeingMoved || node === undefined || f.run || f.pods.spent.length > 0) return undefined;
  return saveTrouble(node, f.home.save, f) ?? { reason: 'SavingHome', args: { node } };
}

/** A hibernated home that stays where it is, and why. */
export function homeTied({ power, home: { claim, save, isBeingMoved }, seen }: Facts): Trouble | undefined {
  if (power !== 'Hibernated' || !claim || !seen.tie || isBeingMoved) return undefined;
  const { node } = seen.tie;
  if (save?.status?.phase !== 'failed') return { reason: 'HomeOnNode', args: { node } };
  return { reason: 'HomeNotSaved', args: { node, ...quoted('detail', causeOf(save)) } };
}
