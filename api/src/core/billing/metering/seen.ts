// Metering's input from an object's status: one interval, and whose it is.
import { isResource, RESOURCES, type SourceType, type Use } from '@gantry/contract/billing/resources.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Interval } from '@gantry/contract/fields/metering.ts';
import { FINALIZER } from '@gantry/contract/names.ts';

/** One interval as an object reports it. */
export interface Seen {
  readonly uid: string;
  readonly seq: number;
  readonly organizationId: string;
  readonly region: string;
  readonly kind: string;
  readonly name: string;
  /** Its display name; undefined if nobody chose one. */
  readonly displayName?: string | undefined;
  /** The spending member: for runs the one who started it, for storage its creator. */
  readonly accountId?: string | undefined;
  /** The run's uid: a Pod, a claim, a node. */
  readonly subjectUid: string;
  /** Set for objects that have several: their run, and the parts of it that used this. */
  readonly run?: number | undefined;
  readonly parts?: string | undefined;
  readonly uses: readonly Use[];
  readonly from: number;
  /** Absent while it runs. */
  readonly to?: number | undefined;
}

/** A billable object, as the cluster's port shows it. */
export interface MeteredObject {
  readonly facts: { readonly kind: string; readonly cost: { readonly source: SourceType } };
  readonly object: KubeObject & {
    readonly spec?: { readonly creator?: string; readonly startedBy?: string; readonly displayName?: string };
    readonly status?: {
      readonly intervals?: readonly Interval[];
      readonly credit?: { readonly postedSeq?: number };
    };
  };
  readonly uid: string;
  readonly organizationId: string;
  readonly region: string;
}

/** The operator is through with it: nothing of it is left but what billing has to say. */
export const isLeft = ({ object: { metadata } }: MeteredObject): boolean =>
  metadata.deletionTimestamp !== undefined && !(metadata.finalizers ?? []).includes(FINALIZER.operator);

const isByHour = ({ resource }: { readonly resource: string }): boolean =>
  isResource(resource) && RESOURCES[resource].per === 'hour';

/** The readable ones: an interval that another version wrote must not keep other objects from being billed. */
export function intervalsOf({ object }: Pick<MeteredObject, 'object'>): readonly Interval[] {
  const intervals: unknown = object.status?.intervals;
  return Array.isArray(intervals) ? intervals.filter((one) => Number.isInteger(one?.seq)) : [];
}

/** Its intervals that are not acknowledged yet. */
export function seenOf(one: MeteredObject): Seen[] {
  const { object, facts, uid, organizationId, region } = one;
  const posted = object.status?.credit?.postedSeq ?? 0;
  return intervalsOf(one)
    .filter(({ seq }) => seq > posted)
    .map(({ seq, subjectUID, run, parts, from, to, uses }) => ({
      uid,
      seq,
      organizationId,
      region,
      kind: facts.kind,
      name: object.metadata.name,
      displayName: object.spec?.displayName,
      accountId: (uses.some(isByHour) ? object.spec?.startedBy : undefined) ?? object.spec?.creator,
      subjectUid: subjectUID,
      run,
      parts,
      uses: uses as readonly Use[],
      from: Date.parse(from),
      ...(to !== undefined && { to: Date.parse(to) }),
    }));
}
