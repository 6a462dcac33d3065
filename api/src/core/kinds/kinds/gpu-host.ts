// Hosts: the disks that they keep, the months that they are renewed by, and the cards that are free on them.
import { identityOf } from '@gantry/contract/identity.ts';
import { type GpuHost, gpuHost, type HostRoom } from '@gantry/contract/kinds/gpu-host.ts';
import type { Placed } from '@gantry/contract/kinds/host-of.ts';
import type { KindChange, WatchCache } from '../../../platform/kube/watch-cache.ts';
import { checkDisks } from '../checks.ts';
import { hostIn } from '../placed-host.ts';
import { cardsHeld, HOLDER_KINDS, hostRoom, hostShare, onHost, roomsOf } from '../stock.ts';
import type { KindHooks } from './hooks.ts';

export const hostHooks: KindHooks = {
  shows: HOLDER_KINDS,
  related(cache, object) {
    const { namespace = '', name } = object.metadata;
    const { free } = hostRoom(object as GpuHost, onHost(cache, namespace, name));
    const share = hostShare(roomsOf(cache.reader), identityOf(object));
    const key = `${free}-${share?.cores ?? ''}-${share?.memoryGi ?? ''}`;
    return { related: { freeGpus: free, ...(share && { share }) } satisfies HostRoom, key };
  },
  touchedBy(cache, change) {
    const { namespace = '' } = change;
    return hostsTouched(cache, change).flatMap((name) => cache.get<GpuHost>(gpuHost, namespace, name) ?? []);
  },
  checkWrite(cache, asked, spec) {
    const { disks } = spec as { disks?: { name: string }[] | null };
    checkDisks(cache, disks ?? undefined, { ...asked, mayBeHeld: true });
  },
  commandPatch: (action, object, { months = 1 }) =>
    action === 'renew' ? { months: (object as GpuHost).spec.months + Number(months) } : {},
};

/** Hosts of which an object holds more or fewer cards than before. */
function hostsTouched(cache: WatchCache, { kind, namespace = '', before, after }: KindChange): string[] {
  if (!HOLDER_KINDS.some((one) => one.kind === kind.kind)) return [];
  const [was, is] = [before, after].map((object) => {
    const { spec } = (object ?? {}) as { spec?: Placed };
    return { host: hostIn(cache.reader, namespace, spec ?? {})?.metadata.name, cards: object ? cardsHeld(object) : 0 };
  });
  if (was?.host === is?.host && was?.cards === is?.cards) return [];
  return [...new Set([was, is].flatMap((one) => (one?.host !== undefined && one.cards > 0 ? [one.host] : [])))];
}
