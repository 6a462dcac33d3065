// Which host a deployment is on: the one that it names, or one of those with a tag.
import type { GpuHost } from './gpu-host.ts';

export interface Placed {
  host?: string | undefined;
  /** Counts where no host is named. */
  hostTag?: string | undefined;
}

interface Hosts {
  /** A host of the object's own organisation. */
  get(name: string): GpuHost | undefined;
  all(): readonly GpuHost[];
}

/** The host that a deployment asks for, by name or tag; undefined on the pool. */
export const hostWish = ({ host, hostTag }: Placed): string | undefined => host ?? hostTag;

/**
 * The oldest active host with the tag, so that a new host moves nothing. If none is active: the oldest whose time is not over, which is
 * waited for. Undefined on the pool, and if there is no such host.
 */
export function hostOf({ host, hostTag }: Placed, hosts: Hosts): GpuHost | undefined {
  if (host !== undefined) return hosts.get(host);
  if (hostTag === undefined) return undefined;
  const tagged = hosts
    .all()
    .filter(({ metadata, spec }) => metadata.deletionTimestamp === undefined && (spec.tags ?? []).includes(hostTag))
    .toSorted((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
  return tagged.find(({ status }) => status?.phase === 'active') ?? tagged.find(({ status }) => !isOver(status?.phase));
}

/** Names tell apart what was made within one second. */
const ageOf = ({ metadata: { creationTimestamp, name } }: GpuHost): string => `${creationTimestamp ?? ''} ${name}`;

const isOver = (phase: string | undefined): boolean => phase === 'expired' || phase === 'draining';
