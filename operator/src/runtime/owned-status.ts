// Which part of a status is ours. Others write there too (billing's conditions and credit), and what we leave out of an apply
// vanishes only if we own it: so "does the status differ?" needs the field owners, read here before they are thrown away.
import { isDeepStrictEqual } from 'node:util';
import type { Condition, KubeObject } from '@gantry/contract/define-kind.ts';

/** Owns what the operator applies. Changing it would orphan every field written so far. */
export const FIELD_MANAGER = 'gantry-operator';

interface OwnedStatus {
  fields: readonly string[];
  conditions: readonly string[];
}
type Fields = Record<string, object>;
type Status = Record<string, unknown> & { conditions?: readonly Condition[] };

const NOTHING: OwnedStatus = { fields: [], conditions: [] };
const owned = new WeakMap<KubeObject, OwnedStatus>();
// Thousands of objects own the same few sets of fields.
const alike = new Map<string, OwnedStatus>();
const MOST_ALIKE = 1000;

/** Notes what the object's managedFields say we own of its status. Call it before they are dropped. */
export function noteOwnedStatus(object: KubeObject): void {
  const { managedFields = [] } = object.metadata as {
    managedFields?: { manager: string; operation: string; fieldsV1?: { 'f:status'?: Fields } }[];
  };
  const ours = managedFields.find(
    ({ manager, operation, fieldsV1 }) =>
      manager === FIELD_MANAGER && operation === 'Apply' && fieldsV1?.['f:status'] !== undefined,
  );
  const status = ours?.fieldsV1?.['f:status'];
  if (status === undefined) return;
  const conditions = Object.keys(status['f:conditions'] ?? {}).flatMap((key) =>
    key.startsWith('k:') ? [(JSON.parse(key.slice(2)) as { type: string }).type] : [],
  );
  const found = {
    fields: Object.keys(status).flatMap((key) => (key.startsWith('f:') ? [key.slice(2)] : [])),
    conditions,
  };
  const text = JSON.stringify(found);
  if (alike.size > MOST_ALIKE) alike.clear();
  if (!alike.has(text)) alike.set(text, found);
  owned.set(object, alike.get(text) ?? found);
}

/** Whether applying this status would change anything: a field to set, or one of ours to take away. */
export function statusDiffers(object: KubeObject, wanted: object): boolean {
  const seen = ((object as { status?: Status }).status ?? {}) as Status;
  const { conditions: wantedConditions = [], ...fields } = withoutUndefined(wanted) as Status;
  const ours = owned.get(object) ?? NOTHING;
  return (
    Object.entries(fields).some(([name, value]) => !isDeepStrictEqual(seen[name], value)) ||
    ours.fields.some((name) => name !== 'conditions' && seen[name] !== undefined && !(name in fields)) ||
    wantedConditions.some(
      (condition) =>
        !isDeepStrictEqual(
          seen.conditions?.find(({ type }) => type === condition.type),
          condition,
        ),
    ) ||
    ours.conditions.some(
      (type) =>
        seen.conditions?.some((condition) => condition.type === type) &&
        !wantedConditions.some((condition) => condition.type === type),
    )
  );
}

/** As JSON would carry it: members that are undefined are not there. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, withoutUndefined(inner)]])),
  );
}
