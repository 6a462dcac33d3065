// The largest objects that the API server stores: whatever of a spec may be long, or many, is, as far as its schema and a megabyte let
// it. What has a pattern stays as sound objects have it.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import * as z from 'zod';
import { kindObject } from '../../api/src/core/kinds/testing/memory-kinds.ts';
import { SOUND } from './sound-objects.ts';

/** etcd takes a megabyte and a half, managers of fields included. */
const MOST_LETTERS = 1_000_000;

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly additionalProperties?: Schema | boolean;
  readonly maxProperties?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly default?: unknown;
}

class Filled {
  #left = MOST_LETTERS;

  /** Undefined: nobody knows what it may be. `sound`: as a sound object has it. */
  of(schema: Schema, sound: unknown): unknown {
    if (this.#left <= 0) return sound;
    const { type, properties, items, additionalProperties: members } = schema;
    if (type === 'string') return this.#text(schema, sound);
    if (type === 'array' && items) return this.#list(schema, items, sound);
    if (type === 'object' && properties) return this.#object(schema, properties, sound);
    if (type === 'object' && typeof members === 'object') return this.#record(schema, members, sound);
    if (type === 'boolean') return sound ?? true;
    return sound ?? schema.default ?? (type === undefined ? undefined : (schema.minimum ?? 1));
  }

  #text({ pattern, maxLength = 65_536, enum: words, default: usual }: Schema, sound: unknown): unknown {
    if (words) return sound ?? words[0];
    if (pattern !== undefined) return sound ?? usual;
    const letters = Math.min(maxLength, this.#left);
    this.#left -= letters;
    return 'a'.repeat(letters);
  }

  #list({ maxItems = 1_000 }: Schema, items: Schema, sound: unknown): unknown {
    const sounds = Array.isArray(sound) ? sound : [];
    const all: unknown[] = [];
    while (all.length < maxItems && this.#left > 0) {
      const one = this.of(items, sounds[all.length] ?? sounds[0]);
      if (one === undefined) break;
      this.#left -= 8;
      all.push(one);
    }
    return all.length > 0 ? all : sound;
  }

  #object({ required = [] }: Schema, properties: Readonly<Record<string, Schema>>, sound: unknown): unknown {
    const sounds = (typeof sound === 'object' && sound !== null ? sound : {}) as Record<string, unknown>;
    const all: Record<string, unknown> = { ...sounds };
    for (const [name, one] of Object.entries(properties)) {
      const value = this.of(one, sounds[name]);
      if (value === undefined && required.includes(name)) return sound;
      if (value !== undefined) all[name] = value;
      this.#left -= name.length + 4;
    }
    return all;
  }

  #record({ maxProperties = 100 }: Schema, member: Schema, sound: unknown): unknown {
    const all: Record<string, unknown> = { ...(sound as object | undefined) };
    for (let at = 0; at < maxProperties && this.#left > 0; at++) {
      const value = this.of(member, undefined);
      if (value === undefined) return sound;
      all[`k${at}`] = value;
      this.#left -= 8;
    }
    return all;
  }
}

/** So many of each kind that lives in a namespace: `largest-0` and so on. */
export const largestObjects = (namespace: string, count: number): KubeObject[] =>
  Object.entries<KindFacts>(KINDS)
    .filter(([, { scope }]) => scope === 'Namespaced')
    .flatMap(([key, facts]) => {
      const schema = z.toJSONSchema(facts.spec, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema;
      const { spec, status } = SOUND[key as keyof typeof SOUND];
      return Array.from({ length: count }, (_, at) =>
        kindObject(facts, `largest-${at}`, { namespace, spec: new Filled().of(schema, spec) as object, status }),
      );
    });
