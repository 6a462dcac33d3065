// The changes that turn a status into the plan's. Billing and agents write there too, so the controller declares our part:
// managedFields do not show it, because tenants may clear them.
import { isDeepStrictEqual } from 'node:util';
import type { Condition, KubeObject } from '@gantry/contract/define-kind.ts';
import { RECONCILED } from '@gantry/contract/reconcile-sentences.ts';
import type { StatusWrites } from '../define-controller.ts';

/** The operator's name in managedFields. */
export const FIELD_MANAGER = 'gantry-operator';

type Status = Record<string, unknown> & { conditions?: readonly Condition[] };

/** Fields that every kind's plan writes. */
export const COMMON: readonly string[] = ['phase', 'reason', 'reasonArgs', 'message', 'observedGeneration'];

/**
 * A merge patch of the status; undefined if nothing differs. Fields of its own part that the plan omits are removed, whoever owns
 * them. The list of conditions is replaced as a whole, with others' as they were seen: the patch is valid only with that
 * resourceVersion.
 */
export function statusPatch(
  object: KubeObject,
  wanted: object,
  { fields = [], conditions: declared = [] }: StatusWrites = {},
): Record<string, unknown> | undefined {
  const seen = ((object as { status?: Status }).status ?? {}) as Status;
  const { conditions = [], ...rest } = withoutUndefined(wanted) as Status;
  const gone = [...COMMON, ...fields].filter((field) => seen[field] !== undefined && !(field in rest));
  const patch = {
    ...differences(seen, rest),
    ...Object.fromEntries(gone.map((field) => [field, null])),
    ...conditionsPatch(seen.conditions ?? [], conditions, [...declared, RECONCILED]),
  };
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** For one condition, whatever else is there. */
export const conditionPatch = (object: KubeObject, condition: Condition): Record<string, unknown> | undefined => {
  const patch = conditionsPatch((object as { status?: Status }).status?.conditions ?? [], [condition], []);
  return Object.keys(patch).length > 0 ? { ...patch } : undefined;
};

/** In the order in which they were seen, so that an unchanged list stays unchanged. */
function conditionsPatch(seen: readonly Condition[], wanted: readonly Condition[], ours: readonly string[]): object {
  const known = seen.flatMap((condition) => {
    const next = wanted.find(({ type }) => type === condition.type);
    return next ?? (ours.includes(condition.type) ? [] : condition);
  });
  const isNew = ({ type }: Condition) => !seen.some((condition) => condition.type === type);
  const next = [...known, ...wanted.filter(isNew)];
  return isDeepStrictEqual(next, seen) ? {} : { conditions: next.length > 0 ? next : null };
}

/** The differences of `wanted` from `seen`. Maps are patched, so an omitted member has to be removed by name. */
function differences(seen: Record<string, unknown>, wanted: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([key, value]) => {
      const known = seen[key];
      if (isDeepStrictEqual(known, value)) return [];
      if (!isMap(known) || !isMap(value)) return [[key, value]];
      const gone = Object.keys(known).filter((name) => !(name in value));
      return [[key, { ...differences(known, value), ...Object.fromEntries(gone.map((name) => [name, null])) }]];
    }),
  );
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As JSON would carry it: members that are undefined are not there. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, withoutUndefined(inner)]])),
  );
}
