// The words of cluster checks, loaded with their page: no other needs them.
import type { Language } from '@gantry/contract/fields/language.ts';
import type { words as english } from '@gantry/contract/words/en/doctor.ts';
import { useAllWords } from '@gantry/ui/i18n/use-words.tsx';
import type { KeyOf, Phrases, Words } from '@gantry/ui/i18n/words.ts';
import { use } from 'react';

const AREA = 'doctor';
const LOAD: Readonly<Record<Language, () => Promise<{ words: Phrases }>>> = {
  en: () => import('@gantry/contract/words/en/doctor.ts'),
  zh: () => import('@gantry/contract/words/zh/doctor.ts'),
  ja: () => import('@gantry/contract/words/ja/doctor.ts'),
};
/** One promise for each reader's words: what suspends has to be given the same one again. */
const loading = new WeakMap<Words, { words: Promise<void> }>();

function loaded(words: Words): Promise<void> {
  const begun = loading.get(words) ?? {
    words: LOAD[words.language]().then(({ words: phrases }) => words.add(AREA, phrases)),
  };
  loading.set(words, begun);
  return begun.words;
}

/** Suspends until they are there. */
export function useDoctorWords() {
  const words = useAllWords();
  use(loaded(words));
  const t = words.of<typeof english>(AREA);
  // A newer gateway may find what this page has no words for.
  const known = (key: string, args: Readonly<Record<string, string>>): string | undefined =>
    words.find(AREA, key) === undefined ? undefined : t(key as KeyOf<typeof english>, args);
  return {
    t,
    found: (reason: string, args: Readonly<Record<string, string>>) =>
      known(`found.${reason}`, args) ?? [reason, ...Object.values(args)].join(' '),
    todo: (reason: string, args: Readonly<Record<string, string>>) => known(`todo.${reason}`, args),
  };
}
