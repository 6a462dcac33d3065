// Quotas that name a kind which Kubernetes does not count yet. Its controller learns of a kind up to half a minute after it is there, and
// counts a quota that named it before only at its next resync, by default every five minutes: until then the API server refuses all new
// objects of that kind ("status unknown for quota"). It counts at once when a limit changes. So a limit that is not counted goes down by
// one and up again in turns: it is never above what it should be, and until it is counted nothing is let through at all.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { quantity } from '@gantry/contract/fields/quantity.ts';
import { count } from './quantity.ts';

const TURN_MS = 20_000;

type Limits = Readonly<Record<string, string>>;
type Quota = KubeObject & { spec: { hard: Limits }; status?: { hard?: Limits; used?: Limits } };

interface Recount {
  wanted: KubeObject[];
  /** Absent: everything is counted. */
  againInMs?: number;
}

/** The wanted objects as they are to be at this moment. Without a controller, which is seen by its status, they are as they should be. */
export function recounted(wanted: readonly KubeObject[], seen: readonly KubeObject[], now: number): Recount {
  const uncounted = new Map(
    seen.flatMap((quota) => {
      const names = quota.kind === 'ResourceQuota' ? uncountedIn(quota) : [];
      return names.length > 0 ? [[quota.metadata.name, names] as const] : [];
    }),
  );
  if (uncounted.size === 0) return { wanted: [...wanted] };
  const isLowered = Math.floor(now / TURN_MS) % 2 === 1;
  return {
    wanted: wanted.map((object) => {
      const names = object.kind === 'ResourceQuota' ? uncounted.get(object.metadata.name) : undefined;
      return names && isLowered ? lowered(object as Quota, names) : object;
    }),
    againInMs: TURN_MS - (now % TURN_MS),
  };
}

/** The names of a quota's limits that are not counted. */
export function uncountedIn(quota: KubeObject): string[] {
  const { hard = {}, used = {} } = (quota as Quota).status ?? {};
  return Object.keys(hard).filter((name) => name.startsWith('count/') && used[name] === undefined);
}

function lowered(quota: Quota, names: readonly string[]): KubeObject {
  const hard = Object.fromEntries(
    Object.entries(quota.spec.hard).map(([name, limit]) => [
      name,
      names.includes(name) ? count(Math.max(0, quantity(limit) - 1)) : limit,
    ]),
  );
  return { ...quota, spec: { ...quota.spec, hard } } as KubeObject;
}
