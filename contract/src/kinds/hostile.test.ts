import { describe, expect, test } from '@jest/globals';
import { hostileCopies, readOnce } from '../../../test/support/hostile.ts';
import type { SoundObject } from '../../../test/support/sound/parts.ts';
import { SOUND } from '../../../test/support/sound-objects.ts';
import { canDo, type KindFacts } from '../define-kind.ts';
import { KINDS } from '../kinds.ts';

/** The failures, by what was wrong with the object. */
function faults(key: keyof typeof KINDS, look: (object: SoundObject) => unknown): string[] {
  return [...hostileCopies(SOUND[key])].flatMap(({ what, object }) => {
    try {
      look(object);
      return [];
    } catch (error) {
      return [`${what}: ${(error as Error).message}`];
    }
  });
}

describe.each(Object.entries(KINDS) as [keyof typeof KINDS, KindFacts][])('a hostile %s', (key, facts) => {
  const specOf = readOnce((part) => facts.spec.safeParse(part).data);
  const isStatus = readOnce((part) => facts.status.safeParse(part).success);

  test('is in a phase and lets actions be asked for', () => {
    const look = (object: SoundObject) => {
      facts.phaseInView(object);
      for (const action of Object.keys(facts.actions)) canDo(facts, action, object);
    };
    expect(faults(key, look)).toEqual([]);
  });

  test('tells of its runs, replicas and usage whatever its status says', () => {
    const look = (object: SoundObject) => {
      if (specOf(object.spec) === undefined) return;
      for (const { seq, part } of facts.api?.runs?.of(object) ?? []) facts.api?.runs?.podOf(object, seq, part);
      facts.api?.replicas?.podsOf(object);
      facts.api?.usage?.partsOf(object);
    };
    expect(faults(key, look)).toEqual([]);
  });

  test('wishes for something countable, or nothing, where its schema admits it', () => {
    const look = (object: SoundObject) => {
      // As the API server returns it: with its defaults.
      const spec = specOf(object.spec);
      if (!spec || !isStatus(object.status)) return;
      for (const { resource, quantity } of facts.cost?.desired({ ...object, spec } as SoundObject) ?? [])
        if (!(quantity >= 0)) throw new Error(`${resource} ${quantity}`);
    };
    expect(faults(key, look)).toEqual([]);
  });
});
