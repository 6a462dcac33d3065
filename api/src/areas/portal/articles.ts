// Help articles and the pages that staff write (about, contact, terms, privacy). Each change is a version that stays; one version at most
// is published, and a roll-back publishes an earlier one again. Readers get the published version and never hear of the others. Some
// articles come with the product (`guides.ts`).

import type { ArticleKind, ArticleState } from '@gantry/contract/areas/portal/admin-portal.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { AdminQuery, AdminRow } from '@gantry/contract/http/admin.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { and, asc, eq, inArray, isNotNull, isNull, lt, max, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Texts } from '../../core/settings/run-time-state.ts';
import { type ListedTable, type Page, pageOfIds } from '../../platform/db/list-pages.ts';
import type { Database, Sql } from '../../platform/db/open.ts';
import { articles, articleVersions } from '../../platform/db/schema/operation.ts';
import { articleVotes } from '../../platform/db/schema/portal.ts';
import { noteTakenOff } from '../../platform/db/taken-off.ts';
import { idOf } from '../../platform/ids.ts';
import type { Figures } from './figures.ts';
import type { Guide } from './guides.ts';

type ArticleRow = AdminRow<'articles'>;
type VersionRow = AdminRow<'article-versions'>;
type Stored = typeof articles.$inferSelect;

const ARTICLES: ListedTable = {
  table: articles,
  columns: {
    id: articles.id,
    slug: articles.slug,
    kind: articles.kind,
    position: articles.position,
    latest: articles.latest,
    published_at: articles.publishedAt,
    changed_at: articles.changedAt,
  },
  searched: [articles.slug],
};

const VERSIONS: ListedTable = {
  table: articleVersions,
  columns: {
    id: articleVersions.id,
    article_id: articleVersions.articleId,
    number: articleVersions.number,
    created_at: articleVersions.createdAt,
  },
  searched: [],
};

const LANGUAGES = ['en', 'zh', 'ja'] as const;
const PAGE_LOCK = 7_115_041;
/** Who writes the product's own articles: nobody who has an account. */
const PRODUCT = '';
const SEEDED_BECAUSE = 'Comes with the product';

/** A kind of which there is one. */
type WrittenPage = Exclude<ArticleKind, 'help'>;

/** The present text of an article, for readers. */
export interface Published {
  slug: string;
  title: string;
  content: string;
  published_at: string;
}

/** More than an installation has. */
const MOST_CHECKED = 500;

export interface NewestArticle {
  id: string;
  slug: string;
  title: Texts;
  content: Texts;
  isPublished: boolean;
}

export interface NewArticle {
  slug: string;
  kind: Stored['kind'];
  position: number;
  title: Texts;
  content: Texts;
  reason: string;
}

export interface ArticleWish {
  slug?: string | undefined;
  position?: number | undefined;
  title?: Texts | undefined;
  content?: Texts | undefined;
  reason: string;
}

export interface ArticleParts {
  db: Database;
  clock: Clock;
  /** Fills in what readers see. */
  figures: Pick<Figures, 'filled' | 'searchable'>;
}

export class Articles {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #figures: ArticleParts['figures'];

  constructor({ db, clock, figures }: ArticleParts) {
    this.#db = db;
    this.#clock = clock;
    this.#figures = figures;
  }

  async page(query: AdminQuery): Promise<Page<ArticleRow>> {
    const { q, state, ...filter } = query.filter;
    const besides = and(titled(q), inState(state));
    const { items, ...counted } = await pageOfIds(this.#db.sql, ARTICLES, { ...query, filter }, besides);
    if (items.length === 0) return { items: [], ...counted };
    const ids = items.map(String);
    const rows = await this.#db.sql.select().from(articles).where(inArray(articles.id, ids));
    const votes = await this.#db.sql.select().from(articleVotes).where(inArray(articleVotes.articleId, ids));
    const votesOf = new Map(votes.map((row) => [row.articleId, row]));
    const before = await this.#publishedBefore(ids);
    const byId = new Map(rows.map((row) => [row.id, rowOf(row, votesOf.get(row.id), before.get(row.id))]));
    return { items: ids.flatMap((id) => byId.get(id) ?? []), ...counted };
  }

  /** Of each article, the newest version before the published one that was published once, too. */
  async #publishedBefore(ids: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
    const rows = await this.#db.sql
      .select({ id: articles.id, number: max(articleVersions.number) })
      .from(articles)
      .innerJoin(articleVersions, eq(articleVersions.articleId, articles.id))
      .where(
        and(
          inArray(articles.id, [...ids]),
          isNotNull(articleVersions.publishedAt),
          lt(articleVersions.number, articles.published),
        ),
      )
      .groupBy(articles.id);
    return new Map(rows.map(({ id, number }) => [id, number]));
  }

  /** The newest versions of all, for staff, with figures filled in as for readers. */
  async newest(): Promise<NewestArticle[]> {
    const rows = await this.#db.sql
      .select({ article: articles, content: articleVersions.content })
      .from(articles)
      .innerJoin(
        articleVersions,
        and(eq(articleVersions.articleId, articles.id), eq(articleVersions.number, articles.latest)),
      )
      .orderBy(asc(articles.position), asc(articles.slug))
      .limit(MOST_CHECKED);
    return rows.map(({ article: { id, slug, title, published }, content }) => ({
      ...{ id, slug, title, isPublished: published !== null },
      content: {
        en: this.#figures.filled(content.en, 'en'),
        zh: this.#figures.filled(content.zh, 'zh'),
        ja: this.#figures.filled(content.ja, 'ja'),
      },
    }));
  }

  /** A version as readers would see it, published or not: for staff. `version` is `<article>.<number>`. Throws not_found. */
  async draft(version: string, language: Language): Promise<Published & { kind: ArticleKind }> {
    const [found] = await this.#db.sql
      .select({ article: articles, version: articleVersions })
      .from(articleVersions)
      .innerJoin(articles, eq(articles.id, articleVersions.articleId))
      .where(eq(articleVersions.id, version));
    if (!found) throw problem('not_found', { what: version });
    return {
      ...{ slug: found.article.slug, kind: found.article.kind, title: found.version.title[language] },
      content: this.#figures.filled(found.version.content[language], language),
      published_at: found.version.createdAt.toISOString(),
    };
  }

  async versions(query: AdminQuery): Promise<Page<VersionRow>> {
    const { items, ...counted } = await pageOfIds(this.#db.sql, VERSIONS, query);
    if (items.length === 0) return { items: [], ...counted };
    const ids = items.map(String);
    const rows = await this.#db.sql
      .select({ version: articleVersions, published: articles.published })
      .from(articleVersions)
      .innerJoin(articles, eq(articles.id, articleVersions.articleId))
      .where(inArray(articleVersions.id, ids));
    const byId = new Map(
      rows.map(({ version, published }) => [
        version.id,
        {
          id: version.id,
          article_id: version.articleId,
          number: version.number,
          title: version.title,
          content: version.content,
          is_published: version.number === published,
          reason: version.reason,
          created_at: version.createdAt.toISOString(),
          created_by: version.createdBy || null,
        },
      ]),
    );
    return { items: ids.flatMap((id) => byId.get(id) ?? []), ...counted };
  }

  /** Throws slug_taken, about_exists. Returns its id, which is the same under the same key. */
  async create(
    { slug, kind, position, title, content, reason }: NewArticle,
    by: string,
    key?: string,
  ): Promise<string> {
    const id = idOf('art', key);
    const now = new Date(this.#clock.now());
    await this.#db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${PAGE_LOCK})`);
      if ((await tx.$count(articles, eq(articles.id, id))) > 0) return;
      await requireFree(tx, slug);
      if (kind !== 'help') {
        const there = await tx.select({ id: articles.id }).from(articles).where(eq(articles.kind, kind));
        if (there.length > 0) throw problem('about_exists', {}, { field: 'kind' });
      }
      await tx.insert(articles).values({ id, slug, kind, position, title, latest: 1, changedAt: now, changedBy: by });
      await tx.insert(articleVersions).values({
        id: `${id}.1`,
        articleId: id,
        number: 1,
        title,
        content,
        reason,
        createdAt: now,
        createdBy: by,
      });
    });
    return id;
  }

  /**
   * Publishes the product's own articles: each that was never here, and each whose newest text is an older one of ours that is published. A
   * text that was here before stays an old one, so that an earlier gateway beside a newer one changes nothing. An address that operators
   * have given to another article is theirs.
   */
  async seed(guides: readonly Guide[]): Promise<void> {
    const now = new Date(this.#clock.now());
    await this.#db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${PAGE_LOCK})`);
      const [ids, slugs] = [guides.map(seededId), guides.map(({ slug }) => slug)];
      const isMeant = or(inArray(articles.id, ids), inArray(articles.slug, slugs));
      const there = await tx.select().from(articles).where(isMeant).for('update');
      const before = await tx.select().from(articleVersions).where(inArray(articleVersions.articleId, ids));
      for (const guide of guides) {
        const id = seededId(guide);
        const own = there.find((one) => one.id === id);
        const isTaken = there.some(({ slug }) => slug === guide.slug);
        const versions = before.filter(({ articleId }) => articleId === id);
        const newest = versions.find(({ number }) => number === own?.latest);
        const mayReplace = own ? newest?.createdBy === PRODUCT && own.published === own.latest : !isTaken;
        if (!mayReplace || versions.some((one) => isSameText(one, guide))) continue;
        const number = (own?.latest ?? 0) + 1;
        const { slug, position, title, content } = guide;
        const set = { title, latest: number, published: number, publishedAt: now, changedAt: now, changedBy: PRODUCT };
        await tx
          .insert(articles)
          .values({ id, slug, kind: 'help', position, ...set })
          .onConflictDoUpdate({ target: articles.id, set });
        await tx.insert(articleVersions).values({
          ...{ id: `${id}.${number}`, articleId: id, number, title, content },
          ...{ reason: SEEDED_BECAUSE, createdAt: now, createdBy: PRODUCT, publishedAt: now },
        });
      }
    });
  }

  /** A new version only where the words change. Throws not_found, slug_taken. */
  async edit(id: string, { slug, position, title, content, reason }: ArticleWish, by: string): Promise<void> {
    const now = new Date(this.#clock.now());
    await this.#db.transaction(async (tx) => {
      const found = await locked(tx, id);
      if (slug !== undefined && slug !== found.slug) await requireFree(tx, slug, id);
      const before = await versionOf(tx, id, found.latest);
      const words = { title: title ?? before.title, content: content ?? before.content };
      const isNew = !isSame(words.title, before.title) || !isSame(words.content, before.content);
      const number = isNew ? found.latest + 1 : found.latest;
      if (isNew)
        await tx.insert(articleVersions).values({
          ...words,
          id: `${id}.${number}`,
          articleId: id,
          number,
          reason,
          createdAt: now,
          createdBy: by,
        });
      await tx
        .update(articles)
        .set({
          title: words.title,
          latest: number,
          slug: slug ?? found.slug,
          position: position ?? found.position,
          changedAt: now,
          changedBy: by,
        })
        .where(eq(articles.id, id));
    });
  }

  /** Throws not_found, article_empty. Returns the number that was published before. */
  async publish(id: string, number: number, by: string): Promise<number | null> {
    const now = new Date(this.#clock.now());
    return this.#db.transaction(async (tx) => {
      const found = await locked(tx, id);
      const { content } = await versionOf(tx, id, number);
      if (LANGUAGES.some((language) => content[language].trim() === ''))
        throw problem('article_empty', { number }, { field: 'number' });
      await tx
        .update(articles)
        .set({ published: number, publishedAt: now, changedAt: now, changedBy: by })
        .where(eq(articles.id, id));
      await tx
        .update(articleVersions)
        .set({ publishedAt: now })
        .where(eq(articleVersions.id, `${id}.${number}`));
      return found.published;
    });
  }

  /** Throws not_found. */
  async withdraw(id: string, by: string): Promise<void> {
    const now = new Date(this.#clock.now());
    await this.#db.transaction(async (tx) => {
      const { kind, slug, published } = await locked(tx, id);
      if (kind === 'help' && published !== null) await noteTakenOff(tx, 'article', slug, now);
      await tx
        .update(articles)
        .set({ published: null, publishedAt: null, changedAt: now, changedBy: by })
        .where(eq(articles.id, id));
    });
  }

  /** The published help articles without their text. */
  async heads(language: Language): Promise<Omit<Published, 'content'>[]> {
    const rows = await this.#db.sql
      .select({ slug: articles.slug, title: articleVersions.title, at: articles.publishedAt })
      .from(articles)
      .innerJoin(articleVersions, isPublished)
      .where(eq(articles.kind, 'help'))
      .orderBy(asc(articles.position), asc(articles.slug));
    return rows.map(({ slug, title, at }) => ({
      slug,
      title: title[language],
      published_at: at?.toISOString() ?? '',
    }));
  }

  /** The published help articles of these addresses, as a search reads them. */
  async texts(slugs: readonly string[], language: Language): Promise<Published[]> {
    if (slugs.length === 0) return [];
    const rows = await this.#db.sql
      .select({
        slug: articles.slug,
        title: articleVersions.title,
        content: articleVersions.content,
        at: articles.publishedAt,
      })
      .from(articles)
      .innerJoin(articleVersions, isPublished)
      .where(and(eq(articles.kind, 'help'), inArray(articles.slug, [...slugs])));
    return rows.map(({ slug, title, content, at }) => ({
      ...{ slug, title: title[language], content: this.#figures.searchable(content[language]) },
      published_at: at?.toISOString() ?? '',
    }));
  }

  /** Counts that a published help article helped somebody, or did not. Throws not_found. */
  async rate(slug: string, isHelpful: boolean): Promise<void> {
    const [found] = await this.#db.sql
      .select({ id: articles.id })
      .from(articles)
      .where(and(eq(articles.kind, 'help'), eq(articles.slug, slug), isNotNull(articles.published)));
    if (!found) throw problem('not_found', { what: slug });
    const counted = isHelpful ? 'yes' : 'no';
    await this.#db.sql
      .insert(articleVotes)
      .values({ articleId: found.id, [counted]: 1 })
      .onConflictDoUpdate({
        target: articleVotes.articleId,
        set: { [counted]: sql`${articleVotes[counted]} + 1` },
      });
  }

  async votes(slug: string): Promise<{ yes: number; no: number }> {
    const [found] = await this.#db.sql
      .select({ yes: articleVotes.yes, no: articleVotes.no })
      .from(articleVotes)
      .innerJoin(articles, eq(articles.id, articleVotes.articleId))
      .where(eq(articles.slug, slug));
    return found ?? { yes: 0, no: 0 };
  }

  /** The page of a kind; null until one is published. */
  readPage(kind: WrittenPage, language: Language): Promise<Published | null> {
    return this.read(kind, language).catch((error: unknown) => {
      if (error instanceof Problem && error.problem === 'not_found') return null;
      throw error;
    });
  }

  /** By its address, or the page of a kind. Throws not_found. */
  async read(which: { slug: string } | WrittenPage, language: Language): Promise<Published> {
    const isIt =
      typeof which === 'string'
        ? eq(articles.kind, which)
        : and(eq(articles.kind, 'help'), eq(articles.slug, which.slug));
    const [found] = await this.#db.sql
      .select({
        slug: articles.slug,
        title: articleVersions.title,
        content: articleVersions.content,
        at: articles.publishedAt,
      })
      .from(articles)
      .innerJoin(articleVersions, isPublished)
      .where(isIt);
    if (!found) throw problem('not_found', { what: typeof which === 'string' ? which : which.slug });
    const { slug, title, content, at } = found;
    return {
      ...{ slug, title: title[language], content: this.#figures.filled(content[language], language) },
      published_at: at?.toISOString() ?? '',
    };
  }
}

const isPublished = and(eq(articleVersions.articleId, articles.id), eq(articleVersions.number, articles.published));

async function locked(tx: Sql, id: string): Promise<Stored> {
  const [found] = await tx.select().from(articles).where(eq(articles.id, id)).for('update');
  if (!found) throw problem('not_found', { what: id });
  return found;
}

async function versionOf(tx: Sql, id: string, number: number) {
  const [found] = await tx
    .select()
    .from(articleVersions)
    .where(eq(articleVersions.id, `${id}.${number}`));
  if (!found) throw problem('not_found', { what: `${id}.${number}` });
  return found;
}

async function requireFree(tx: Sql, slug: string, but = ''): Promise<void> {
  const there = await tx
    .select({ id: articles.id })
    .from(articles)
    .where(and(eq(articles.slug, slug), ne(articles.id, but)));
  if (there.length > 0) throw problem('slug_taken', { slug }, { field: 'slug' });
}

const seededId = ({ slug }: Guide): string => `art-${slug}`;

const isSameText = (a: Pick<Guide, 'title' | 'content'>, b: Pick<Guide, 'title' | 'content'>): boolean =>
  isSame(a.title, b.title) && isSame(a.content, b.content);

const isSame = (a: Texts, b: Texts): boolean => LANGUAGES.every((language) => a[language] === b[language]);

/** In its title in any language, or its address. */
function titled(q: unknown): SQL | undefined {
  if (typeof q !== 'string') return undefined;
  return sql`strpos(lower(${articles.slug} || ' ' || ${articles.title}::text), lower(${q})) > 0`;
}

function inState(wanted: unknown): SQL | undefined {
  if (wanted === undefined) return undefined;
  const rule: Record<ArticleState, SQL | undefined> = {
    draft: isNull(articles.published),
    published: eq(articles.published, articles.latest),
    changed: and(isNotNull(articles.published), ne(articles.published, articles.latest)),
  };
  return or(...([wanted].flat() as ArticleState[]).map((state) => rule[state]), sql`false`);
}

const rowOf = (row: Stored, votes?: { yes: number; no: number }, before?: number | null): ArticleRow => ({
  id: row.id,
  slug: row.slug,
  kind: row.kind,
  title: row.title,
  state: row.published === null ? 'draft' : row.published === row.latest ? 'published' : 'changed',
  position: row.position,
  latest: row.latest,
  published: row.published,
  published_before: before ?? null,
  published_at: row.publishedAt?.toISOString() ?? null,
  votes_yes: votes?.yes ?? 0,
  votes_no: votes?.no ?? 0,
  changed_at: row.changedAt.toISOString(),
  changed_by: row.changedBy || null,
});
