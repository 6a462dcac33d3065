// A document of its own for each page whose address is always the same: index.html with the page's scripts asked for at once, not
// one after the other, and with what it says first. The gateway sends `login.html` for /login, and index.html for all others.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { firstPaint, LANGUAGES, type Phrases, type Spoken, splash } from './first-paint.ts';
import type { Area, PageRow } from './src/area.ts';

const PRELOADS = '<!-- preload -->';
const PAINT = '<!-- first paint -->';
const SOURCE = new URL('src/', import.meta.url);
const ANYWAY = new URL('start-anyway.js', import.meta.url);
const pathOf = (file: string) => fileURLToPath(new URL(file, SOURCE));

interface Chunk {
  readonly fileName: string;
  readonly facadeModuleId: string | null;
  readonly imports: readonly string[];
}

export const pageDocuments: Plugin = {
  name: 'page-documents',
  apply: 'build',
  // Once index.html is written, and before what is written is compressed.
  enforce: 'post',
  async generateBundle(_, bundle) {
    const page = bundle['index.html'];
    if (page?.type !== 'asset') return;
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const anyway = this.getFileName(
      this.emitFile({ type: 'asset', name: 'start-anyway.js', source: readFileSync(ANYWAY, 'utf8') }),
    );
    const index = later(String(page.source), anyway);
    page.source = documentOf(index, chunks, { paint: splash() });
    // Node reads the table of pages as it is: nothing in it needs to be built.
    const { AREAS } = (await import(new URL('areas.ts', SOURCE).href)) as { AREAS: readonly Area[] };
    for (const { name, pages } of AREAS) {
      const words = await wordsOf(name);
      for (const row of pages) {
        if (row.path.includes(':')) continue;
        const source = documentOf(index, chunks, {
          paint: firstPaint(row, words),
          modules: modulesOf(name, row),
          words: `areas/${name}/words/%.ts`,
          isOpen: row.frame === 'open',
        });
        this.emitFile({ type: 'asset', fileName: `${row.path.slice(1)}.html`, source });
      }
    }
  },
};

/** The page's own module, and what is around it. */
export function modulesOf(area: string, { load, frame }: Pick<PageRow, 'load' | 'frame'>): readonly string[] {
  // Where the page lies is written in its row alone.
  const [, file] = /import\(["'](.+?)["']\)/.exec(String(load)) ?? [];
  if (file === undefined) throw new Error(`a page of "${area}" does not say where it is`);
  const own = new URL(file, new URL(`areas/${area}/`, SOURCE));
  const around = frame === 'open' ? [] : ['shell/signed-in.tsx', ...(frame === 'bare' ? [] : ['shell/shell.tsx'])];
  return [fileURLToPath(own), ...around.map(pathOf)];
}

async function wordsOf(area: string): Promise<Spoken> {
  const read = async (language: string) => {
    const file = new URL(`areas/${area}/words/${language}.ts`, SOURCE);
    return [language, ((await import(file.href)) as { words: Phrases }).words];
  };
  return Object.fromEntries(await Promise.all(Object.keys(LANGUAGES).map(read)));
}

interface Wanted {
  /** What it shows before any script has run. */
  readonly paint: string;
  readonly modules?: readonly string[];
  /** `%` stands for the language, which the browser knows: of those links one is followed. */
  readonly words?: string;
  /** To whoever has no session: all others are sent to sign in, and need nothing of the page. */
  readonly isOpen?: boolean;
}

/** Throws where the build has no file for what the page needs. */
export function documentOf(
  index: string,
  chunks: readonly Chunk[],
  { paint, modules = [], words, isOpen = true }: Wanted,
): string {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const chunkOf = (module: string) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === module);
    if (!chunk) throw new Error(`${module} has no file in the build`);
    return chunk.fileName;
  };
  const files = new Set(modules.map(chunkOf));
  for (const file of files) for (const needed of byName.get(file)?.imports ?? []) files.add(needed);
  const only = isOpen ? '' : ' data-only="signed-in"';
  const links = [...files].filter((file) => !index.includes(file)).map((file) => linkTo(file, only));
  const spoken = Object.keys(LANGUAGES).flatMap((language) => {
    const inIt = (file: string) => chunkOf(pathOf(file.replace('%', language)));
    const mark = ` data-words="${language}"`;
    return [linkTo(inIt('words-%.ts'), mark), ...(words ? [linkTo(inIt(words), mark + only)] : [])];
  });
  // What is put in may have a `$` in it, which a plain replacement would read.
  return index.replace(PRELOADS, () => [...links, ...spoken].join('\n    ')).replace(PAINT, () => paint);
}

const linkTo = (file: string, marks: string) => `<link crossorigin${marks} data-href="/${file}">`;

const MODULE = /<script type="module" crossorigin src="(.+?)"><\/script>/;

/**
 * As the inline script of index.html asks for them, with the file that does where that does not run. Throws where the build writes
 * it otherwise.
 */
export function later(index: string, anyway: string): string {
  if (!MODULE.test(index)) throw new Error('index.html has no script to begin with');
  return index
    .replace(
      MODULE,
      `<link crossorigin data-entry data-href="$1">
    <script type="module" crossorigin fetchpriority="low" src="/${anyway}"></script>`,
    )
    .replaceAll('<link rel="modulepreload" crossorigin href=', '<link crossorigin data-href=');
}
