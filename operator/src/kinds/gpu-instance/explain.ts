// Why the instance is in its phase: a reason of the contract and the numbers and names for its sentence.

import { DETAILS } from '@gantry/contract/kinds/details.ts';
import { exitCodeSaid, exitSaid } from '@gantry/contract/kinds/exits.ts';
import type { GpuInstancePhase } from '@gantry/contract/kinds/gpu-instance.ts';
import { rootRoom } from '@gantry/contract/kinds/instance-limits.ts';
import { quoted, type Said, said } from '@gantry/contract/said.ts';
import { isHostOver } from '../../host-nodes.ts';
import { instant } from '../../metering.ts';
import { conditionSince } from '../../pod-progress.ts';
import { missingHost } from '../../prerequisites.ts';
import type { Facts } from './facts.ts';
import { gpuFault } from './health.ts';
import { givenBack } from './hold.ts';
import { whileMoving } from './home/hibernation.ts';
import { hasSsh, SSH_PORT } from './login.ts';
import { MANY_EXITS, NETWORK_TIMEOUT_MS } from './phase.ts';
import { restoreIn } from './pod-facts.ts';
import { whileSaving } from './saving/progress.ts';
import type { Stock } from './stock.ts';
import type { Trouble } from './trouble.ts';

const plain = (reason: Trouble['reason']): Trouble => ({ reason, args: {} });
const round = (value: number): string => String(Math.max(0, Math.floor(value * 10) / 10));

/** Phases that say it all; every other one is explained by what keeps it from the next. */
const BY_PHASE: Partial<Record<GpuInstancePhase, (f: Facts) => Trouble>> = {
  releasing: () => plain('Releasing'),
  released: () => plain('Released'),
  lost_contact: (f) => {
    const wish = f.power !== 'Running' || f.rebootWanted;
    return { reason: wish ? 'WaitsForNode' : 'NodeLost', args: { node: f.pods.current?.spec?.nodeName ?? '' } };
  },
  hibernating: (f) => whileSaving(f) ?? whileMoving(f) ?? plain('Ending'),
  shuttingDown: (f) => whileSaving(f) ?? plain('Ending'),
  stopping: (f) => whileSaving(f) ?? plain('Ending'),
  stopped: atRest,
  shutDown: (f) => {
    if (f.owner.spec.power === 'Running')
      return (
        (isHostOver(f.seen.host) ? missingHost(f.owner.spec, f.seen.host) : undefined) ??
        f.credit.trouble ??
        plain('Hibernated')
      );
    return atRest(f);
  },
  createTimeout: (f) =>
    notebookSilent(f) ?? { reason: 'CreateTimeout', args: { minutes: round(f.settings.createTimeoutMs / 60_000) } },
  networkTimeout: (f) =>
    notebookSilent(f) ??
    (f.pods.progress === 'started' ? { reason: 'PortSilent', args: silent(awaitedPort(f)) } : plain('NetworkFailed')),
};

/** The message mentions only saved data that exist. */
function atRest({ power, home: { claim }, status, run }: Facts): Trouble {
  if (status.home) return plain('Hibernated');
  if (claim && claim.metadata.deletionTimestamp === undefined)
    return plain(power === 'Hibernated' ? 'Hibernated' : 'AtRest');
  return plain((run ?? status.run) === undefined ? 'NeverRan' : 'HomeGone');
}

const silent = (port: number) => ({ port: String(port), seconds: String(NETWORK_TIMEOUT_MS / 1000) });

/** Logins worked before the minute was over: it is billed from then on. */
function notebookSilent({ pods: { progress }, run, owner: { spec } }: Facts): Trouble | undefined {
  if (progress !== 'started' || run?.answeredAt === undefined || spec.notebookPort === undefined) return undefined;
  return { reason: 'NotebookSilent', args: silent(spec.notebookPort) };
}

export function explain(f: Facts, phase: GpuInstancePhase): Trouble {
  return (
    BY_PHASE[phase]?.(f) ??
    f.trouble ??
    f.hopeless ??
    givenBack(f) ??
    brokenGpu(f) ??
    notSaved(f) ??
    heldBack(f) ??
    onTheWay(f)
  );
}

/** The node's own words for it: which card it is, and what became of it. */
function brokenGpu(f: Facts): Trouble | undefined {
  const fault = gpuFault(f);
  if (!fault?.isOfRun) return undefined;
  return { reason: 'GpuFault', args: { node: f.pods.current?.spec?.nodeName ?? '', detail: fault.detail } };
}

/** The silent one of SSH and the notebook: the notebook is probed once SSH has answered. */
function awaitedPort(f: Facts): number {
  const { spec } = f.owner;
  const waitsForSsh = hasSsh(f) && f.pods.current?.status?.containerStatuses?.[0]?.started === false;
  return waitsForSsh ? SSH_PORT : (spec.notebookPort ?? SSH_PORT);
}

/** The container of the old spec, or of before the reboot, still runs. */
const isBeingEnded = (f: Facts): boolean => f.pods.isEdited || f.rebootWanted || f.exportWanted;

/** A failing save delays the next run, and outweighs why the last one ended. */
function notSaved(f: Facts): Trouble | undefined {
  const save = whileSaving(f);
  return save?.reason === 'SavingRoot' ? undefined : save;
}

function heldBack(f: Facts): Trouble | undefined {
  return afterExit(f) ?? unpaid(f) ?? (f.pods.current ? undefined : f.waitsFor);
}

/** Between an end that nobody asked for and Ready again. */
function afterExit(f: Facts): Trouble | undefined {
  const { readyAt, lastExit, lastLines, notBefore: at = '', exits = 0 } = f.run ?? {};
  if (readyAt !== undefined || lastExit === undefined) return undefined;
  // Once the scheduler has failed, its reason says more than earlier ones.
  if ((lastExit === 'Evicted' || lastExit === 'NodeGone') && !isUnschedulable(f)) return plain(lastExit);
  if (lastExit === 'OOMKilled') return { reason: 'OutOfMemory', args: { memoryGi: String(f.owner.spec.memoryGi), at } };
  if (lastExit === 'RootFull')
    return { reason: 'RootFull', args: { limitGi: String(rootRoom(f.owner.spec).limitGi), at } };
  const waits = (instant(at) ?? 0) > f.now;
  const restore = /^restore code (\d+)$/.exec(lastExit)?.[1];
  if (restore !== undefined)
    return {
      reason: 'HomeNotRestored',
      args: quoted('detail', said(DETAILS.endedWithCode, { ended: exitCodeSaid(restore), at })),
    };
  const program = exitSaid(lastExit, lastLines);
  if (program === undefined) return waits ? { reason: 'NodeRefused', args: { cause: lastExit, at } } : undefined;
  const ended = quoted('ended', program);
  if (exits < MANY_EXITS) return waits ? { reason: 'WaitingAfterExit', args: { ...ended, at } } : undefined;
  return waits
    ? { reason: 'ExitedOften', args: { exits: String(exits), ...ended, at } }
    : { reason: 'StartsAfterExits', args: { exits: String(exits), ...ended } };
}

function unpaid(f: Facts): Trouble | undefined {
  if (f.pods.current && !isBeingEnded(f)) return undefined;
  if (f.credit.trouble) return f.credit.trouble;
  if (f.credit.refused !== undefined) return { reason: 'OutOfCredit', args: { detail: f.credit.refused } };
  return f.credit.hasTooManyRuns ? plain('UsageNotPosted') : undefined;
}

/** The usual way: a place, an image, a container, Ready. */
function onTheWay(f: Facts): Trouble {
  switch (f.pods.progress) {
    case 'ready':
    case 'started':
      if (isBeingEnded(f)) return plain(f.pods.isEdited || f.rebootWanted ? 'Ending' : 'Exporting');
      return plain(f.run?.readyAt ? 'Running' : 'WaitingForReady');
    case 'placed':
      if (isRestoring(f)) return plain('RestoringHome');
      return { reason: 'PullingImage', args: { node: f.pods.current?.spec?.nodeName ?? '' } };
    case 'finished':
      return plain('Ending');
    default:
      return whileSaving(f) ?? unplaced(f);
  }
}

const isRestoring = ({ pods }: Facts): boolean => restoreIn(pods.current)?.running !== undefined;

const isUnschedulable = ({ pods }: Facts): boolean =>
  conditionSince(pods.current, 'PodScheduled', 'False') !== undefined;

/** Set by the scheduler on a claim whose volume was made for the node that its first Pod had. */
const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/** Why the scheduler has no node, in numbers. */
function unplaced(f: Facts): Trouble {
  const { stock } = f.seen;
  const { gpu, cores, memoryGi } = f.owner.spec;
  if (!stock || !isUnschedulable(f)) return plain('Scheduling');
  const ahead = String(stock.ahead);
  if (gpu) {
    const { model } = gpu;
    const count = String(gpu.count);
    if (!stock.models.includes(model))
      return { reason: 'UnknownGpuModel', args: { model, models: stock.models.join(', ') || '–' } };
    if (stock.most < gpu.count) return { reason: 'TooManyGpus', args: { count, model, most: String(stock.most) } };
    if (!stock.fits && !stock.closed)
      return {
        reason: 'WaitingForGpus',
        args: { count, model, free: String(stock.free), nodes: String(stock.nodes), ahead },
      };
  }
  if (stock.closed) return { reason: 'NodesClosed', args: quoted('detail', stock.closed) };
  if (stock.freeCores < cores || stock.freeMemoryGi < memoryGi) {
    const args = {
      cores: String(cores),
      memoryGi: String(memoryGi),
      freeCores: round(stock.freeCores),
      freeMemoryGi: round(stock.freeMemoryGi),
      ahead,
    };
    return { reason: 'WaitingForRoom', args };
  }
  const rootGi = rootRoom(f.owner.spec).requestMi / 1024;
  if (stock.freeRootGi < rootGi)
    return {
      reason: 'WaitingForRootRoom',
      args: { rootGi: String(Math.ceil(rootGi * 10) / 10), freeRootGi: round(stock.freeRootGi), ahead },
    };
  if (stock.freePods < 1) return { reason: 'WaitingForPlaces', args: { ahead } };
  if (f.home.claim?.status?.phase === 'Pending') return plain('WaitingForDisk');
  // There is capacity, but the scheduler cannot use it: the volume ties the instance to its node.
  const node = stock.home?.node ?? f.home.claim?.metadata.annotations?.[SELECTED_NODE];
  if (node === undefined) return plain('Scheduling');
  return { reason: 'HomeElsewhere', args: { node, ...quoted('detail', missingAt(f.owner, stock.home)) } };
}

/** The first thing that the home's node lacks. */
function missingAt({ spec }: Facts['owner'], home: Stock['home']): Said {
  if (!home) return said(DETAILS.notPlacedThere);
  const { room } = home;
  if (!room) return said(DETAILS.nodeNotInCluster);
  if (!room.isOpen) return said(DETAILS.nodeClosed);
  const { count = 0, model = '' } = spec.gpu ?? {};
  const rootGi = rootRoom(spec).requestMi / 1024;
  const rows = [
    [room.freeGpus, count, DETAILS.freeGpus],
    [room.freeCores, spec.cores, DETAILS.freeCores],
    [room.freeMemoryGi, spec.memoryGi, DETAILS.freeMemory],
    [room.freeRootGi, rootGi, DETAILS.freeRoot],
    [room.freePods, 1, DETAILS.freePods],
  ] as const;
  const lacking = rows.find(([free, wanted]) => free < wanted);
  if (!lacking) return said(DETAILS.notPlacedThere);
  const [free, wanted, words] = lacking;
  return said(words, { free: round(free), wanted: String(Math.ceil(wanted * 10) / 10), model });
}
