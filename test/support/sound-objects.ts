// One object of each kind, sound in every field: what tests change one thing of. Each kind has its own in `sound/`.
import { KINDS } from '@gantry/contract/kinds.ts';
import { ofEachKind } from './file-of-kind.ts';
import type { Resting, SoundObject } from './sound/parts.ts';

/** By the kind's key in KINDS. */
export const SOUND = await ofEachKind(KINDS, async (file) => {
  const { sound }: { sound: SoundObject } = await import(`./sound/${file}.ts`);
  return sound;
});

/** Further sound specs of a kind, by its key in KINDS: of fields that a sound object has either or. */
export const FORMS = await ofEachKind(KINDS, async (file): Promise<readonly SoundObject['spec'][]> => {
  const { forms }: { forms?: readonly SoundObject['spec'][] } = await import(`./sound/${file}.ts`);
  return forms ?? [];
});

/** By the kind's key in KINDS. A kind that says nothing rests as its sound object is. */
export const RESTING = await ofEachKind(KINDS, async (file): Promise<Resting> => {
  const { sound, resting }: { sound: SoundObject; resting?: Resting } = await import(`./sound/${file}.ts`);
  return resting ?? (() => sound);
});
