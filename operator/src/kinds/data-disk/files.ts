// The file server: wanted until a moment, and never in the way of an instance that needs a disk of one writer.
import { type DataDiskStatus, MOST_FILES_HOURS } from '@gantry/contract/kinds/data-disk.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import { isHostOver } from '../../host-nodes.ts';
import { instant, MOST_VALUE } from '../../metering.ts';
import { hostAndPort, readySince, whyNotReady } from '../../server-pod.ts';
import { FILES_PORT, firstPlace } from './desired.ts';
import { type Explanation, type Facts, isRunning, refusalOf, refusedFor } from './facts.ts';

const MOST_MS = MOST_FILES_HOURS * 60 * 60_000;

export interface Files {
  /** A server is requested. */
  wanted: boolean;
  /** Why there is none, or how far it is; absent where nobody asks for one. */
  explanation: Explanation | undefined;
  /** When it ends, or when the request takes effect. */
  changesAt: Instant | undefined;
}

const NONE: Files = { wanted: false, explanation: undefined, changesAt: undefined };

export function filesOf(f: Facts): Files {
  const { files } = f.owner.spec;
  const until = instant(files?.until);
  const no = (explanation: Explanation, changesAt?: Instant): Files => ({ wanted: false, explanation, changesAt });
  if (files && until === undefined)
    return no({ reason: 'FilesUntilMalformed', args: { value: `${files.until}`.slice(0, MOST_VALUE) } });
  if (until === undefined || until <= f.now || f.deleting) return NONE;
  if (until - f.now > MOST_MS)
    return no({ reason: 'FilesTooLong', args: { hours: String(MOST_FILES_HOURS) } }, until - MOST_MS);
  if (f.trouble || !f.claim) return no(f.trouble ?? { reason: 'Making', args: {} }, until);
  const by = inTheWay(f);
  if (by.length > 0) return no({ reason: 'FilesInUse', args: { by: by.join(', ') } }, until);
  return { wanted: true, explanation: progressOf(f), changesAt: until };
}

/** The exclusive users of a single-writer disk: an instance that runs or starts with it, and any Pod that holds it. */
function inTheWay({ owner, seen, users, mountedBy }: Facts): string[] {
  if (owner.spec.access === 'Many') return [];
  const running = mountedBy.filter(
    ({ kind, name, atNextStart }) =>
      kind === 'GpuInstance' &&
      seen.instances.some(
        (one) => one.metadata.name === name && isRunning(one) && !(atNextStart && goesOnWithout(one)),
      ),
  );
  return running.length > 0 ? running.map(({ name }) => name) : users.map(({ metadata }) => metadata.name);
}

/** Its Pod was created before it was given its disks: until the next start it needs none of the new ones. */
const goesOnWithout = ({ status }: GpuInstance): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'RestartNeeded' && is === 'True') ?? false;

/** A container that cannot be created says so; an ended server is created again; one whose token is refused serves nobody. */
function progressOf(f: Facts): Explanation {
  const secret = refusalOf(f, 'Secret');
  if (readySince(f.fileServer) && !secret) return { reason: 'FilesReady', args: {} };
  const refusal = secret ?? refusalOf(f, 'Pod');
  const detail = refusal ? refusedFor(refusal).args.detail : whyNotReady(f.fileServer);
  return detail ? { reason: 'FilesFailed', args: { detail: detail.slice(0, 1000) } } : STARTING;
}

const STARTING: Explanation = { reason: 'FilesStarting', args: {} };

/** An existing volume has its own constraints; one that waits for a Pod is created on that Pod's node. */
export function placeOf({ owner, seen, settings, bound, mountedBy }: Facts) {
  if (bound || seen.storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') return {};
  const reserves = ({ metadata }: GpuHost) =>
    mountedBy.some(({ kind, name }) => kind === 'GpuHost' && name === metadata.name);
  return firstPlace(
    owner,
    seen.hosts.find((host) => reserves(host) && !isHostOver(host)),
    settings,
  );
}

/** Its address. */
export function addressOf({ fileServer }: Facts): DataDiskStatus['files'] {
  const address = hostAndPort(fileServer, FILES_PORT);
  const readyAt = readySince(fileServer);
  return address && readyAt ? { address, readyAt } : undefined;
}
