// Values that a schema may accept and nobody means, for every consumer of objects that tenants write or that an older schema
// stored. `hostile-values.json` holds them, because Go tests read it too.
import { readFileSync } from 'node:fs';
import type { KubeObject } from '@gantry/contract/define-kind.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export interface HostileValues {
  readonly dates: {
    /** Refused by the CRDs; some parser that reads them anyway gets them wrong, or throws. */
    readonly unreadable: readonly string[];
    /** Admitted: JavaScript and Go read the same instant. */
    readonly readable: readonly string[];
  };
  readonly quantities: readonly string[];
  readonly numbers: readonly number[];
  readonly names: readonly string[];
  readonly wrongTypes: readonly Json[];
}

export const HOSTILE: HostileValues = JSON.parse(
  readFileSync(new URL('./hostile-values.json', import.meta.url), 'utf8'),
) as HostileValues;

/** Longer than any limit of a schema. */
const HUGE = 'a'.repeat(100_000);

const DATE = /^\d{4}-\d\d-\d\dT/;

/**
 * Copies of a sound object with one thing wrong each: every member of spec, status, labels and annotations in turn, and the
 * status as a whole. `what` says which, as `spec.sshKeys.0.expiresAt = "never"`. Copies share what is sound, which nobody changes.
 */
export function* hostileCopies<T extends KubeObject>(object: T): Generator<{ what: string; object: T }> {
  const sound = frozen(structuredClone(object));
  const { spec, status, metadata } = sound as T & { spec?: Json; status?: Json };
  const parts: [path: string[], value: Json | undefined][] = [
    [['spec'], spec],
    [['status'], status],
    [['metadata', 'labels'], metadata.labels],
    [['metadata', 'annotations'], metadata.annotations],
  ];
  for (const [top, value] of parts) {
    if (value === undefined) continue;
    for (const path of pathsIn(value)) {
      if (path.length === 0 && top[0] !== 'status') continue;
      for (const bad of valuesFor(at(value, path))) {
        const whole = [...top, ...path];
        yield {
          what: `${whole.join('.')} = ${shown(bad)}`,
          object: withValue(sound as unknown as Json, whole, bad) as unknown as T,
        };
      }
    }
  }
}

/** Reads a part of such copies; one that many share is read once. */
export function readOnce<Read>(read: (part: unknown) => Read): (part: unknown) => Read {
  const known = new Map<unknown, Read>();
  return (part) => {
    const found = known.get(part) ?? read(part);
    known.set(part, found);
    return found;
  };
}

/** Replacements for a value: hostile ones of its type, every wrong type, and nothing. */
function valuesFor(value: Json): readonly (Json | undefined)[] {
  const { dates, quantities, numbers, names, wrongTypes } = HOSTILE;
  const common = [undefined, ...wrongTypes];
  if (typeof value === 'number') return [...numbers, ...common];
  if (typeof value !== 'string') return common;
  if (DATE.test(value)) return [...dates.unreadable, ...dates.readable, ...common];
  return [...names, ...quantities, HUGE, ...common];
}

function* pathsIn(value: Json): Generator<string[]> {
  yield [];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) for (const path of pathsIn(member)) yield [name, ...path];
}

const at = (value: Json, path: readonly string[]): Json =>
  path.reduce<Json>((inner, name) => (inner as Record<string, Json>)[name] as Json, value);

/** What lies beside the path is the sound object's own. */
function withValue(whole: Json, [name = '', ...rest]: readonly string[], value: Json | undefined): Json {
  const copy = (Array.isArray(whole) ? [...whole] : { ...(whole as object) }) as Record<string, Json | undefined>;
  if (rest.length > 0) copy[name] = withValue(copy[name] as Json, rest, value);
  else if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy as Json;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const shown = (value: Json | undefined): string => (JSON.stringify(value) ?? 'absent').slice(0, 60);
