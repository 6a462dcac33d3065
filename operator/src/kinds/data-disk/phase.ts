// The phase of a disk (decisions section 3) and its conditions, each with the reason that words are made of.
import type { Condition } from '@gantry/contract/define-kind.ts';
import { GI, quantity } from '@gantry/contract/fields/quantity.ts';
import { type DataDiskPhase, dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { tooManyUnposted } from '../../metering.ts';
import type { Volume } from '../../resources.ts';
import { type Explanation, type Facts, refusalOf, refusedFor, resizeError } from './facts.ts';

const ROWS: Record<DataDiskPhase, (f: Facts) => boolean> = {
  releasing: (f) => f.deleting,
  inactive: (f) => f.trouble !== undefined,
  mounted: (f) => f.mountedBy.length > 0,
  active: () => true,
};

/** Walks the contract's order. */
export function phaseOf(f: Facts): DataDiskPhase {
  const order = Object.keys(dataDisk.phases) as DataDiskPhase[];
  return order.find((phase) => ROWS[phase](f)) ?? 'active';
}

const holdersIn = (f: Facts): string => f.mountedBy.map(({ name }) => name).join(', ');

const isAnywhere = (f: Facts): boolean => f.mountedBy.some(({ atNextStart }) => !atNextStart);

/** The sentence beside the phase. */
export function explain(f: Facts, phase: DataDiskPhase): Explanation {
  if (phase === 'releasing') return releasing(f);
  if (f.trouble) return f.trouble;
  if (!f.claim) return { reason: 'Making', args: {} };
  if (f.provisioningSince !== undefined) return { reason: 'Provisioning', args: {} };
  if (phase === 'mounted')
    return { reason: isAnywhere(f) ? 'Mounted' : 'MountsAtNextStart', args: { by: holdersIn(f) } };
  return { reason: f.bound ? 'Available' : 'WaitsForMount', args: {} };
}

function releasing(f: Facts): Explanation {
  if (f.users.length > 0)
    return { reason: 'InUse', args: { by: f.users.map(({ metadata }) => metadata.name).join(', ') } };
  return { reason: f.claim || f.fileServer ? 'Releasing' : 'Released', args: {} };
}

export type Is = Condition['status'];
type Said = readonly [Is, Explanation];
const said = (is: Is, reason: Explanation['reason'], args: Explanation['args'] = {}): Said => [is, { reason, args }];

export function readyOf(f: Facts, phase: DataDiskPhase, explanation: Explanation): Said {
  if (phase === 'releasing' || phase === 'inactive' || !f.claim) return ['False', explanation];
  // Since when it is Unknown tells how long the storage has been at it.
  return [f.provisioningSince === undefined ? 'True' : 'Unknown', explanation];
}

const gi = (bytes: number): string => String(Math.round((bytes / GI) * 100) / 100);

export function resizedOf(f: Facts): Said {
  const { claim, capacityGi, owner } = f;
  if (!claim || capacityGi === undefined) return said('Unknown', 'NoVolume');
  const { sizeGi } = owner.spec;
  const refusal = refusalOf(f, 'PersistentVolumeClaim');
  if (refusal) {
    const explanation = refusedFor(refusal);
    return explanation.reason === 'Refused' ? said('False', 'ResizeFailed', explanation.args) : ['False', explanation];
  }
  const failed = resizeError(claim);
  if (failed !== undefined) return said('False', 'ResizeFailed', { detail: failed });
  if (isGrowing(f) && f.unpaid) return ['False', f.unpaid];
  if (isGrowing(f) && tooManyUnposted(f.owner, f.settings.creditGate)) return said('False', 'UsageNotPosted');
  const waits = claim.status?.conditions?.some(
    ({ type, status }) => type === 'FileSystemResizePending' && status === 'True',
  );
  if (waits) return said('False', 'ResizeWaitsForMount');
  if (capacityGi < sizeGi) return said('False', 'Resizing', { from: String(capacityGi), to: String(sizeGi) });
  return said('True', 'Resized');
}

/**
 * A larger size is desired than was requested from the storage. An unbound claim cannot be changed: it grows once it has a
 * volume.
 */
export const isGrowing = ({ claim, bound, owner }: Facts): boolean =>
  bound && quantity(claim?.spec?.resources?.requests?.storage) / GI < owner.spec.sizeGi;

/** A file system takes some of its volume for itself, and a driver rounds up. */
const TOLERANCE = 0.1;

export function enforcedOf({ status: { usage }, capacityGi }: Facts): Said {
  if (!usage || capacityGi === undefined) return said('Unknown', 'SizeUnmeasured');
  const ratio = usage.totalBytes / (capacityGi * GI);
  if (ratio > 1 + TOLERANCE) return said('False', 'SizeNotEnforced', { total: gi(usage.totalBytes) });
  // A figure from before the last growth, most likely.
  if (ratio < 1 - TOLERANCE) return said('Unknown', 'SizeSmaller', { total: gi(usage.totalBytes) });
  return said('True', 'SizeEnforced');
}

type Terms = NonNullable<
  NonNullable<NonNullable<NonNullable<Volume['spec']>['nodeAffinity']>['required']>['nodeSelectorTerms']
>;

const termsOf = (volume: Volume | undefined): Terms => volume?.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];

export function tiedOf({ seen: { volume, tie: node } }: Facts): Said {
  if (!volume) return said('Unknown', 'NoVolume');
  if (node !== undefined) return said('True', 'TiedToNode', { node });
  const terms = termsOf(volume).map(({ matchExpressions = [] }) =>
    matchExpressions
      .map(({ key, operator, values = [] }) => `${key} ${operator} ${values.join(', ')}`.trim())
      .join(' and '),
  );
  return terms.length > 0
    ? said('True', 'TiedToNodes', { terms: terms.join(' or ').slice(0, 1000) })
    : said('False', 'NotTied');
}
