// Words in the person's language: what signing in needs comes first, all others along with the program.
import type { Phrases, Words } from '@gantry/ui/i18n/words.ts';

interface Loaded {
  readonly words: Phrases;
}

const UI = import.meta.glob<Loaded>('../../ui/src/words/{en,zh,ja}.ts');
const AREAS = import.meta.glob<Loaded>('./words/*/*.ts');
const TABLES = import.meta.glob<Loaded>('../../contract/src/words/*/admin.ts');

/** The words of `ui` and `login`. */
export async function loadFirstWords(words: Words): Promise<void> {
  const { language } = words;
  await Promise.all([
    add(words, 'ui', UI[`../../ui/src/words/${language}.ts`]),
    add(words, 'login', AREAS[`./words/${language}/login.ts`]),
  ]);
}

/** The words of every page, each area by the name of its file; `tables` are the contract's. */
export async function loadWords(words: Words): Promise<void> {
  const own = `./words/${words.language}/`;
  await Promise.all([
    add(words, 'tables', TABLES[`../../contract/src/words/${words.language}/admin.ts`]),
    ...Object.entries(AREAS)
      .filter(([path]) => path.startsWith(own))
      .map(([path, load]) => add(words, path.slice(own.length, -'.ts'.length), load)),
  ]);
}

async function add(words: Words, area: string, load: (() => Promise<Loaded>) | undefined): Promise<void> {
  if (words.has(area)) return;
  if (!load) throw new Error(`there are no words of "${area}" in ${words.language}`);
  words.add(area, (await load()).words);
}
