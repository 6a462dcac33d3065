// A version of an article as visitors would see it, for staff: rendered by the portal itself, at an address that nobody can guess, for ten
// minutes. The address is signed and names what it shows, so that any gateway answers it and none keeps it.
import { timingSafeEqual } from 'node:crypto';
import type { PageName } from '@gantry/contract/areas/portal/pages.ts';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { Problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Articles } from './articles.ts';

const LIFE_MS = 600_000;

interface Parts {
  readonly articles: Pick<Articles, 'draft'>;
  readonly clock: Clock;
  /** A secret of the platform's that belongs to a text. */
  readonly keyed: (text: string) => string;
  /** Without a slash at the end. */
  readonly portal: string;
}

/** What a page is rendered from, but for its surroundings. */
export interface Preview {
  readonly name: PageName;
  readonly params: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, unknown>>;
}

const READS = { about: 'readAbout', contact: 'readContact', terms: 'readTerms', privacy: 'readPrivacy' } as const;

export class Previews {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Throws not_found. */
  async links(articleId: string, number: number): Promise<Record<Language, string>> {
    const { articles, clock, portal } = this.#parts;
    const version = `${articleId}.${number}`;
    await articles.draft(version, 'en');
    const said = Buffer.from(JSON.stringify([version, clock.now() + LIFE_MS])).toString('base64url');
    const ticket = `${said}.${this.#signed(said)}`;
    return Object.fromEntries(
      LANGUAGES.map((language) => [language, `${portal}/${language}/preview/${ticket}`]),
    ) as Record<Language, string>;
  }

  /** Undefined for a ticket that is not ours, or over, or of a version that is gone. */
  async read(ticket: string, language: Language): Promise<Preview | undefined> {
    const [said = '', sum = ''] = ticket.split('.');
    const right = Buffer.from(this.#signed(said));
    const given = Buffer.from(sum);
    if (right.length !== given.length || !timingSafeEqual(right, given)) return undefined;
    const [version, until] = JSON.parse(Buffer.from(said, 'base64url').toString()) as [string, number];
    if (this.#parts.clock.now() > until) return undefined;
    try {
      const { kind, ...article } = await this.#parts.articles.draft(version, language);
      if (kind !== 'help') return { name: kind, params: {}, data: { [READS[kind]]: article, getSettings: null } };
      const readArticle = { ...article, related: [], helpful: { yes: 0, no: 0 } };
      return { name: 'article', params: { slug: article.slug }, data: { readArticle } };
    } catch (error) {
      if (error instanceof Problem && error.problem === 'not_found') return undefined;
      throw error;
    }
  }

  #signed(said: string): string {
    return this.#parts.keyed(`article-preview ${said}`);
  }
}
