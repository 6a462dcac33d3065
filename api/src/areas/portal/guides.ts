// The help articles that come with the product: a folder each below `guides/`, and a Markdown file per language in it. An installation
// gets each once, published. A newer text of ours takes the place of an older one of ours; what operators have edited, withdrawn or rolled
// back stays as they left it.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LANGUAGES } from '@gantry/contract/fields/language.ts';
import * as z from 'zod';
import type { Texts } from '../../core/settings/run-time-state.ts';

/** Below this file. */
const GUIDES_FOLDER = fileURLToPath(new URL('guides/', import.meta.url));

export interface Guide {
  /** The name of its folder. */
  readonly slug: string;
  readonly position: number;
  readonly title: Texts;
  /** Markdown: the summary, then the text. Placeholders stand in it (`figures.ts`). */
  readonly content: Texts;
}

const front = z.strictObject({ title: z.string().min(1), summary: z.string().min(1), order: z.int().min(0) });
export type GuideFront = z.output<typeof front>;

/** Throws where the file does not begin with its front matter. */
export function guideFile(slug: string, language: keyof Texts): { front: GuideFront; body: string } {
  const text = readFileSync(`${GUIDES_FOLDER}${slug}/${language}.md`, 'utf8');
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  if (head === undefined || body === undefined) throw new Error(`guides/${slug}/${language}.md has no front matter`);
  return { front: front.parse(Object.fromEntries(head.split('\n').map(fieldOf))), body: body.trim() };
}

/** `order: 10`, or a text between quotes, of which those within are doubled: as YAML has them. */
function fieldOf(line: string): [name: string, value: string | number | undefined] {
  const [, name = line, text, number] = /^(\w+): (?:'(.*)'|(\d+))$/.exec(line) ?? [];
  return [name, number === undefined ? text?.replaceAll("''", "'") : Number(number)];
}

export const guideSlugs = (): string[] =>
  readdirSync(GUIDES_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

export const readGuides = (): Guide[] => guideSlugs().map(guideOf);

function guideOf(slug: string): Guide {
  const texts = (of: (file: ReturnType<typeof guideFile>) => string) =>
    Object.fromEntries(LANGUAGES.map((language) => [language, of(guideFile(slug, language))])) as unknown as Texts;
  return {
    slug,
    position: guideFile(slug, 'en').front.order,
    title: texts(({ front }) => front.title),
    content: texts(({ front, body }) => `${front.summary}\n\n${body}\n`),
  };
}
