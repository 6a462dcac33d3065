// The common part of two clean runs of one scenario: objects without identities, versions and times, and without the name of the
// run.

import { isDeepStrictEqual } from 'node:util';

const DIFFERS_EVERY_TIME: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'generation',
  'observedGeneration',
  'managedFields',
  'selfLink',
]);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * A copy to compare. Fields named in `without` are omitted besides the usual ones; times become `<time>`; `place`, also inside
 * longer text, becomes `<place>`.
 */
export function normalState(value: unknown, place: string, without: readonly string[] = []): unknown {
  const isLeftOut = (field: string) => DIFFERS_EVERY_TIME.has(field) || without.includes(field);
  const plain = (text: string) => (TIME.test(text) ? '<time>' : text.replaceAll(place, '<place>'));
  const visit = (one: unknown): unknown => {
    if (typeof one === 'string') return plain(one);
    if (Array.isArray(one)) return one.map(visit);
    if (one === null || typeof one !== 'object') return one;
    if (one instanceof Date) return '<time>';
    const fields = Object.entries(one).filter(([field, inner]) => inner !== undefined && !isLeftOut(field));
    return Object.fromEntries(fields.map(([field, inner]) => [plain(field), visit(lasting(field, inner))]));
  };
  return visit(value);
}

/** A state that nobody saw is in no history; the newest always is. */
const lasting = (field: string, value: unknown): unknown =>
  field === 'history' && Array.isArray(value) ? value.slice(0, 1) : value;

/** The differences of two states, a line each: `left[0]: "x" instead of nothing`. */
export function differences(is: unknown, wanted: unknown, path = ''): readonly string[] {
  if (isDeepStrictEqual(is, wanted)) return [];
  if (!isNested(is) || !isNested(wanted)) return [`${path || 'all'}: ${said(is)} instead of ${said(wanted)}`];
  const fields = new Set([...Object.keys(is), ...Object.keys(wanted)]);
  return [...fields].flatMap((field) => differences(is[field], wanted[field], path ? `${path}.${field}` : field));
}

const isNested = (one: unknown): one is Readonly<Record<string, unknown>> => typeof one === 'object' && one !== null;
const said = (one: unknown): string => (one === undefined ? 'nothing' : JSON.stringify(one).slice(0, 300));
