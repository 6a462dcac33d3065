// Words in the person's language: those that every page says come with the first, those of an area along with its page.
import type { Phrases, Words } from '@gantry/ui/i18n/words.ts';
import type { Area } from './area.ts';

const COMMON = import.meta.glob<{ common: Readonly<Record<string, Phrases>> }>('./words-*.ts');
const FOLDERS = import.meta.glob<{ words: Phrases }>(['./areas/*/words/*.ts', './parts/*/words/*.ts']);

/** The words of `ui`, `shell` and `parts`. */
export async function loadCommonWords(words: Words): Promise<void> {
  const load = COMMON[`./words-${words.language}.ts`];
  if (!load) throw new Error(`there are no words in ${words.language}`);
  const { common } = await load();
  for (const [name, phrases] of Object.entries(common)) words.add(name, phrases);
}

/** An area's own, and those of `parts` that it shows too. */
export const loadWordsOf = (words: Words, { name, words: more = [] }: Pick<Area, 'name' | 'words'>): Promise<unknown> =>
  Promise.all([name, ...more].map((folder) => loadWords(words, folder)));

/** By its folder. Asked for again it does nothing. */
async function loadWords(words: Words, folder: string): Promise<void> {
  if (words.has(folder)) return;
  const fileIn = (place: string) => FOLDERS[`./${place}/${folder}/words/${words.language}.ts`];
  const load = fileIn('areas') ?? fileIn('parts');
  if (!load) throw new Error(`there are no words of "${folder}" in ${words.language}`);
  words.add(folder, (await load()).words);
}
