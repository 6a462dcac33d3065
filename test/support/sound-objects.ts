// One object of each kind, sound in every field: what tests change one thing of. Each kind has its own in `sound/`.
import { KINDS } from '@gantry/contract/kinds.ts';
import { fileOf } from './file-of-kind.ts';
import type { SoundObject } from './sound/parts.ts';

const found = Object.keys(KINDS).map(async (key) => {
  const { sound }: { sound: SoundObject } = await import(`./sound/${fileOf(key)}.ts`);
  return [key, sound];
});

/** By the kind's key in KINDS. */
export const SOUND: Readonly<Record<keyof typeof KINDS, SoundObject>> = Object.fromEntries(await Promise.all(found));
