// Search in the published help articles, in the reader's language; and for each article those that are about the same.
import type { ArticleFoundView } from '@gantry/contract/areas/portal/portal.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Articles, Published } from './articles.ts';
import { excerptOf, plainOf } from './plain-markdown.ts';
import { TextIndex } from './text-index.ts';

type Head = Omit<Published, 'content'>;

const MOST_RELATED = 5;
const WEIGHTS = { title: 4, content: 1 };

export class HelpSearch {
  readonly #articles: Pick<Articles, 'heads' | 'texts'>;
  readonly #known = new Map<Language, { index: TextIndex; plain: Map<string, { stamp: string; text: string }> }>();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(articles: Pick<Articles, 'heads' | 'texts'>) {
    this.#articles = articles;
  }

  /** In their order; of a search the best first. */
  async list(q: string | undefined, language: Language): Promise<ArticleFoundView[]> {
    const heads = await this.#articles.heads(language);
    const question = q?.trim() ?? '';
    if (question === '') return heads.map((head) => ({ ...head, found: null }));
    const { index, plain } = await this.#fresh(heads, language);
    const { hits, rangesIn } = await index.find(question);
    const bySlug = new Map(heads.map((head) => [head.slug, head]));
    return hits.flatMap(({ id, score }) => {
      const head = bySlug.get(id);
      if (!head || score === 0) return [];
      const text = plain.get(id)?.text ?? '';
      const excerpt = excerptOf(text, rangesIn(text)[0]?.[0]);
      return [{ ...head, found: { title_ranges: rangesIn(head.title), excerpt, excerpt_ranges: rangesIn(excerpt) } }];
    });
  }

  async related(slug: string, language: Language): Promise<Head[]> {
    const heads = await this.#articles.heads(language);
    const { index } = await this.#fresh(heads, language);
    return index.related(slug, MOST_RELATED).flatMap((other) => heads.find((head) => head.slug === other) ?? []);
  }

  /** Reads only what was published since. One after the other: they change the same index. */
  #fresh(heads: readonly Head[], language: Language) {
    const fresh = this.#reading.then(() => this.#read(heads, language));
    this.#reading = fresh.catch(() => undefined);
    return fresh;
  }

  async #read(heads: readonly Head[], language: Language) {
    const known = this.#known.get(language) ?? { index: new TextIndex(), plain: new Map() };
    this.#known.set(language, known);
    const { index, plain } = known;
    const stale = heads.filter(({ slug, published_at }) => plain.get(slug)?.stamp !== published_at);
    for (const { slug, content, published_at } of await this.#articles.texts(
      stale.map(({ slug }) => slug),
      language,
    ))
      plain.set(slug, { stamp: published_at, text: plainOf(content) });
    const there = new Set(heads.map(({ slug }) => slug));
    for (const slug of plain.keys()) if (!there.has(slug)) plain.delete(slug);
    await index.keep(
      heads.map(({ slug, title, published_at }) => ({
        id: slug,
        stamp: `${published_at} ${title}`,
        fields: () => [
          { text: title, weight: WEIGHTS.title },
          { text: plain.get(slug)?.text ?? '', weight: WEIGHTS.content },
        ],
      })),
    );
    return known;
  }
}
