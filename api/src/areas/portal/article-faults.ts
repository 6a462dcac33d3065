// What staff should mend in articles: texts that are missing or the same in another language, and links that lead nowhere on the portal.
// Nothing outside is asked.
import { setImmediate } from 'node:timers/promises';
import { headingsOf, idOf } from '@gantry/contract/areas/portal/headings.ts';
import { factsOf, type PageAddress, pageAt } from '@gantry/contract/areas/portal/pages.ts';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import type { Page } from '../../platform/db/list-pages.ts';
import { pageInMemory } from '../../platform/db/memory-page.ts';
import type { Articles, NewestArticle } from './articles.ts';

type Row = AdminRow<'article-faults'>;

interface Parts {
  readonly articles: Pick<Articles, 'newest'>;
  /** Without a slash at the end. */
  readonly portal: string;
  /** Whether the page's object is there for visitors; articles are not asked for. */
  exists(address: PageAddress): Promise<boolean>;
}

const MOST_FAULTS = 500;
const MOST_LINKS = 200;
const LINK = /\]\(\s*<?([^)\s>]+)/g;
/** What the gateway serves beside pages. */
const BESIDE = /^\/(api\/|robots\.txt$|sitemap\.xml$|llms\.txt$|\w\w\/(feed|status)\.xml$)/;

export class ArticleFaults {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async page(query: AdminQuery): Promise<Page<Row>> {
    const field = (row: Row, name: string) => (name === 'title' ? row.title.en : row[name as 'id' | 'link']);
    return pageInMemory(await this.rows(), query, { field, isSought: () => true }, (row) => row);
  }

  /** Of the newest versions. */
  async rows(): Promise<Row[]> {
    const all = await this.#parts.articles.newest();
    const found: Row[] = [];
    for (const article of all) {
      for (const language of LANGUAGES) {
        if (found.length >= MOST_FAULTS) return found;
        // A text of 40,000 letters takes a moment, and the loop has others to answer.
        await setImmediate();
        found.push(...(await this.#faultsIn(article, language, all)));
      }
    }
    return found;
  }

  async #faultsIn(article: NewestArticle, language: Language, all: readonly NewestArticle[]): Promise<Row[]> {
    const { id, title, content } = article;
    const text = content[language];
    const row = (fault: Row['fault'], link: string | null, index: number): Row => ({
      ...{ id: `${id}.${language}.${index}`, article_id: id, title, language, fault, link },
    });
    if (text.trim() === '') return [row('missing', null, 0)];
    if (LANGUAGES.some((other) => other < language && content[other] === text)) return [row('untranslated', null, 0)];
    const broken: Row[] = [];
    const links = new Set([...text.matchAll(LINK)].slice(0, MOST_LINKS).map(([, link = '']) => link));
    for (const link of links)
      if (await this.#isBroken(link, article, language, all)) broken.push(row('brokenLink', link, broken.length + 1));
    return broken;
  }

  async #isBroken(link: string, { slug, content }: NewestArticle, language: Language, all: readonly NewestArticle[]) {
    const { portal, exists } = this.#parts;
    if (link.startsWith('#')) return !hasHeading(content[language], link);
    if (!URL.canParse(link, `${portal}/${language}/helpCenter/${slug}`)) return true;
    const { origin, pathname, hash } = new URL(link, `${portal}/${language}/helpCenter/${slug}`);
    if (origin !== portal || BESIDE.test(pathname)) return false;
    const path = pathname.replace(/\.md$/, '').replace(/\/+$/, '');
    const address = path === '' ? pageAt('/en/home') : (pageAt(path) ?? pageAt(`/${language}${path}`));
    if (!address) return true;
    if (address.name === 'article') {
      const target = all.find((one) => one.slug === address.params.slug && one.isPublished);
      return !target || (hash !== '' && !hasHeading(target.content[address.language], hash));
    }
    return factsOf(address.name).about !== undefined && !(await exists(address));
  }
}

const hasHeading = (text: string, hash: string): boolean => {
  const wanted = decoded(hash.slice(1));
  return wanted === '' || headingsOf(text).some(({ text: heading }) => idOf(heading) === wanted);
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
