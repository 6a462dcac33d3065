// Values that a schema admits and nobody means, for the laws of plans: specs built from a kind's own schema, and observations
// with one value replaced by another.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import * as z from 'zod';
import { HOSTILE } from './hostile.ts';
import { fc } from './seeded-fast-check.ts';

/** All have been accepted as `format: date-time` by some API server; JavaScript, Go and calendars disagree about them. */
export const DATES: readonly string[] = [...HOSTILE.dates.unreadable, ...HOSTILE.dates.readable];

const NAMES: readonly string[] = [
  ...['', ' ', '-', '.', '/', ':', '@', '@sha256:', 'a:b@c', '../..', '__proto__', 'constructor', 'toString'],
  ...['null', '%{name}', 'a |||| b', '$&', '%s', '\n', '\u0000', '\u202e', '\ud800', '"', "'", ',=,', 'x'.repeat(300)],
];

const QUANTITIES: readonly string[] = ['0', '-1', '1e3', '1E', '.5', '5.', '1n', '9223372036854775807', '1e400', '1Zi'];

const NUMBERS: readonly number[] = [0, -0, -1, 0.1, 1e-7, 1.5, 1e21, 2 ** 31, 2 ** 53, Number.MAX_VALUE];

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** Some of a wish, as the kind's schema admits it. Its rules in CEL are left aside: an older schema may have lacked them. */
export function hostileSpec({ spec }: KindFacts): fc.Arbitrary<object> {
  const schema = z.toJSONSchema(spec, { target: 'openapi-3.0', io: 'output' }) as Schema;
  // Any part of it: omitted fields keep sound values.
  return fromSchema({ ...schema, required: [] }) as fc.Arbitrary<object>;
}

function fromSchema(schema: Schema): fc.Arbitrary<unknown> {
  const { type, properties = {}, required = [], items = {}, additionalProperties } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (type === 'object' && typeof additionalProperties === 'object')
    return fc.dictionary(fc.constantFrom(...NAMES, 'a'), fromSchema(additionalProperties), { maxKeys: 3 });
  if (type === 'object')
    return fc.record(Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, fromSchema(inner)])), {
      requiredKeys: required,
    });
  if (type === 'array')
    return fc.array(fromSchema(items), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 4, 4),
    });
  if (type === 'boolean') return fc.boolean();
  if (type !== 'string') return fc.constantFrom(...numbersOf(schema));
  if (schema.format === 'date-time') return fc.constantFrom(...DATES);
  const [sound, odd] = [SOUND, [...NAMES, 'x'.repeat(schema.maxLength ?? 4096)]].map((all) => admitted(all, schema));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...(sound?.length ? sound : SOUND)) },
    { weight: 1, arbitrary: fc.constantFrom(...(odd?.length ? odd : SOUND)) },
  );
}

const admitted = (texts: readonly string[], { pattern = '', minLength = 0, maxLength = Infinity }: Schema) =>
  texts.filter((text) => text.length >= minLength && text.length <= maxLength && new RegExp(pattern).test(text));

/** So that the plan comes further than a first refusal: one for each pattern that the kinds have. */
const SOUND: readonly string[] = [
  ...['mine', 'pytorch/pytorch:2.4.0', 'registry.gantry.internal/org-acme/a:1@sha256:x', '/data', 'LANG'],
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9',
  'ssh-ed25519 =',
  'sk-a@b.c AAAA',
];

function numbersOf({ type, minimum = -1e9, maximum = Number.MAX_VALUE }: Schema): readonly number[] {
  const admitted = [minimum, maximum, minimum + 1, ...NUMBERS].filter(
    (value) => value >= minimum && value <= maximum && (type !== 'integer' || Number.isInteger(value)),
  );
  return admitted;
}

/** Which value is replaced by which: `at` and `by` count through the values and their replacements. */
export interface Oddity {
  object: number;
  at: number;
  by: number;
}
export const oddity: fc.Arbitrary<Oddity> = fc.record({ object: fc.nat(99), at: fc.nat(199), by: fc.nat(99) });

/** Identifying fields stay: the API server guarantees them. */
const FIXED: readonly string[] = [
  ...['apiVersion', 'kind', 'name', 'namespace', 'uid', 'resourceVersion', 'generation'],
  ...['creationTimestamp', 'deletionTimestamp', 'finalizers'],
];

/** The same object with one of its values odd, or missing; `under` is the only part of it that may be. */
export function madeOdd<T extends object>(object: T, { at, by }: Oddity, under?: string): T {
  const places = placesIn(object, []).filter(([part]) => under === undefined || part === under);
  const place = places[at % Math.max(places.length, 1)];
  return place ? (replaced(object, place, by) as T) : object;
}

function placesIn(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return path.length > 0 ? [path] : [];
  return Object.entries(value).flatMap(([key, inner]) =>
    path[0] === 'metadata' || path.length === 0
      ? FIXED.includes(key)
        ? []
        : placesIn(inner, [...path, key])
      : [[...path, key], ...placesIn(inner, [...path, key])],
  );
}

function replaced(value: unknown, [key = '', ...rest]: readonly string[], by: number): unknown {
  if (Array.isArray(value))
    return value.flatMap((inner, index) => (String(index) === key ? oddOrGone(inner, rest, by) : [inner]));
  const entries = Object.entries(value as object).flatMap(([name, inner]) =>
    name === key ? oddOrGone(inner, rest, by).map((odd) => [name, odd]) : [[name, inner]],
  );
  return Object.fromEntries(entries);
}

function oddOrGone(value: unknown, rest: readonly string[], by: number): unknown[] {
  if (rest.length > 0) return [replaced(value, rest, by)];
  const odd = oddFor(value);
  const at = by % (odd.length + 1);
  return at === odd.length ? [] : [odd[at]];
}

function oddFor(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return NUMBERS;
  if (typeof value === 'boolean') return [!value];
  if (typeof value !== 'string') return [];
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return [...DATES, null];
  return /^\d+(\.\d+)?[a-zA-Z]{0,2}$/.test(value) ? QUANTITIES : NAMES;
}
