// Words in the person's language: those that every page says come with the first, those of an area along with its page.
import type { Phrases, Words } from '@gantry/ui/i18n/words.ts';

const COMMON = import.meta.glob<{ common: Readonly<Record<string, Phrases>> }>('./words-*.ts');
const AREAS = import.meta.glob<{ words: Phrases }>('./areas/*/words/*.ts');

/** The words of `ui`, `shell` and `parts`. */
export async function loadCommonWords(words: Words): Promise<void> {
  const load = COMMON[`./words-${words.language}.ts`];
  if (!load) throw new Error(`there are no words in ${words.language}`);
  const { common } = await load();
  for (const [name, phrases] of Object.entries(common)) words.add(name, phrases);
}

/** By its folder. Asked for again it does nothing. */
export async function loadWords(words: Words, area: string): Promise<void> {
  if (words.has(area)) return;
  const load = AREAS[`./areas/${area}/words/${words.language}.ts`];
  if (!load) throw new Error(`there are no words of "${area}" in ${words.language}`);
  words.add(area, (await load()).words);
}
