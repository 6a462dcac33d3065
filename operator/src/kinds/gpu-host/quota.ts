// How many cards an organisation may rent: those that its rented hosts hold count, then wishes, older ones first.
import { identityOf } from '@gantry/contract/identity.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { type Organization, organization } from '@gantry/contract/kinds/organization.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import type { CacheReader, Resource } from '@gantry/kube/resource.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import { PLATFORM_LEASE } from '../../resources.ts';
import { byAge, HOST, mayWait } from './resource.ts';

export const ORGANIZATION: Resource = resourceOf(organization);

/** How many cards a host needs, how many others have or get before it, and the limit for all. */
export interface Excess {
  count: number;
  held: number;
  quota: number;
}

export const inWords = ({ count, held, quota }: Excess): Record<string, string> => ({
  count: String(count),
  held: String(held),
  quota: String(quota),
});

interface Ledger {
  at: string;
  excesses: ReadonlyMap<string, Excess>;
}
const ledgers = new WeakMap<CacheReader, Map<string, Ledger>>();

/** Undefined: its request is within the quota. The organisation's own nodes take nothing from the platform and do not count. */
export function excessOf({ metadata }: GpuHost, caches: CacheReader): Excess | undefined {
  const { namespace = '', uid = '' } = metadata;
  const known = ledgers.get(caches) ?? new Map<string, Ledger>();
  ledgers.set(caches, known);
  const at = [PLATFORM_LEASE, HOST, ORGANIZATION].map((resource) => caches.version(resource)).join(' ');
  const before = known.get(namespace);
  const ledger = before?.at === at ? before : { at, excesses: reckon(namespace, caches) };
  known.set(namespace, ledger);
  return ledger.excesses.get(uid);
}

function reckon(namespace: string, caches: CacheReader): ReadonlyMap<string, Excess> {
  const excesses = new Map<string, Excess>();
  const name = organizationOf(namespace);
  const owner =
    name === undefined ? undefined : (caches.get(ORGANIZATION, undefined, name) as Organization | undefined);
  const quota = owner?.spec.quota?.gpus;
  if (quota === undefined) return excesses;
  const hosts = (caches.list(HOST, namespace) as readonly GpuHost[])
    .filter(({ spec }) => spec.source === 'rented')
    .map((host) => ({ host, nodes: caches.by(PLATFORM_LEASE, 'host', identityOf(host)).length }));
  let taken = hosts.reduce((sum, { host, nodes }) => sum + nodes * host.spec.gpu.count, 0);
  for (const { host, nodes } of hosts.sort((a, b) => byAge(a.host, b.host))) {
    const { metadata, spec } = host;
    if (!mayWait(host) || nodes >= spec.nodes) continue;
    const count = spec.nodes * spec.gpu.count;
    const held = taken - nodes * spec.gpu.count;
    // A wish that does not fit keeps nothing from smaller ones that came later.
    if (held + count > quota) excesses.set(metadata.uid ?? '', { count, held, quota });
    else taken = held + count;
  }
  return excesses;
}
