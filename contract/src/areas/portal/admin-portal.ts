// The operators' menu "portal": help articles and the about page in versions, and which GPU models the market shows.
import * as z from 'zod';
import { LANGUAGES } from '../../fields/language.ts';
import { plainText } from '../../fields/plain-text.ts';
import { editedRow, ignored, oneOf, q, time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';
import { lines, texts } from '../settings/admin-operation.ts';

const reason = plainText(1000).meta({ description: 'Why: the audit log keeps it.' });
const ofOne = z.object({ id: z.string().min(1).max(200) });

/** Help articles, and pages of which there is one each. */
export const ARTICLE_KINDS = ['help', 'about', 'contact', 'terms', 'privacy'] as const;
export type ArticleKind = (typeof ARTICLE_KINDS)[number];
/** Never published, published as it is, or with a newer draft. */
export const ARTICLE_STATES = ['draft', 'published', 'changed'] as const;
export type ArticleState = (typeof ARTICLE_STATES)[number];
const articleKind = z.enum(ARTICLE_KINDS);
const articleState = z.enum(ARTICLE_STATES);
export const slug = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'slug_rule')
  .max(63, 'slug_rule');

/** A text that is empty, one that is the same in another language, and a link that leads nowhere on the portal. */
export const ARTICLE_FAULTS = ['missing', 'untranslated', 'brokenLink'] as const;

const MOST_ARTICLE = 40_000;
/** Three texts whose letters take three bytes each, and what escaping adds. */
const MOST_BYTES = 1024 * 1024;
const title = lines(200);
/** Markdown. Whoever shows it leaves out raw HTML. */
const content = texts(MOST_ARTICLE);
const position = z.int().min(0).max(100_000);
const version = z.int().min(1);

export const PORTAL_RESOURCES = {
  articles: {
    menu: 'portal',
    one: 'article',
    row: z.object({
      id: z.string(),
      slug: z.string(),
      kind: articleKind,
      /** The newest version's. */
      title,
      state: articleState,
      position,
      latest: version,
      published: version.nullable(),
      /** The newest version before it that was published, too: where a roll-back goes. */
      published_before: version.nullable(),
      published_at: time.nullable(),
      /** Readers who said that the published text helped them, or did not. */
      votes_yes: z.int(),
      votes_no: z.int(),
      changed_at: time,
      changed_by: z.string().nullable(),
    }),
    columns: [
      ...['title', 'slug', 'kind', 'state', 'position', 'latest', 'published', 'votes_yes', 'votes_no'],
      ...['changed_by', 'changed_at'],
    ],
    order: ['position', 'ASC'],
    references: { changed_by: 'users' },
    sort: ['id', 'slug', 'kind', 'position', 'latest', 'published_at', 'changed_at'],
    filter: { ...q, kind: oneOf(articleKind), state: oneOf(articleState) },
    edits: ['slug', 'position', 'latest'],
  },
  'article-versions': {
    menu: 'portal',
    one: 'version of an article',
    isPart: true,
    row: z.object({
      /** `<article>.<version>` */
      id: z.string(),
      article_id: z.string(),
      number: version,
      title,
      content,
      is_published: z.boolean(),
      reason: z.string(),
      created_at: time,
      created_by: z.string().nullable(),
    }),
    columns: ['number', 'title', 'is_published', 'reason', 'created_by', 'created_at'],
    order: ['number', 'DESC'],
    references: { article_id: 'articles', created_by: 'users' },
    sort: ['id', 'number', 'created_at'],
    filter: { article_id: oneOf(z.string().max(63)) },
  },
  'article-faults': {
    menu: 'portal',
    one: 'fault of an article',
    row: z.object({
      id: z.string(),
      article_id: z.string(),
      title,
      language: z.enum(LANGUAGES),
      fault: z.enum(ARTICLE_FAULTS),
      /** As it is written; null where no link is at fault. */
      link: z.string().nullable(),
    }),
    columns: ['title', 'language', 'fault', 'link', 'article_id'],
    references: { article_id: 'articles' },
    sort: ['id', 'title', 'language', 'fault'],
    filter: { fault: oneOf(z.enum(ARTICLE_FAULTS)), language: oneOf(z.enum(LANGUAGES)) },
  },
  'page-views': {
    menu: 'portal',
    one: 'count of page views',
    row: z.object({
      id: z.string(),
      /** In UTC. */
      day: z.string(),
      /** A path without its language. */
      page: z.string(),
      language: z.enum(LANGUAGES),
      views: z.int(),
    }),
    columns: ['day', 'page', 'language', 'views'],
    order: ['day', 'DESC'],
    sort: ['id', 'day', 'page', 'views'],
    filter: { ...q, language: oneOf(z.enum(LANGUAGES)), page: oneOf(z.string().max(200)) },
  },
  'gpu-models': {
    menu: 'portal',
    one: 'GPU model',
    row: z.object({
      /** The model, as instances ask for it. */
      id: z.string(),
      name: z.string(),
      is_shown: z.boolean(),
      position: position.nullable(),
      note: texts(500).nullable(),
      nodes: z.int(),
      gpus: z.int(),
      free: z.int(),
      changed_at: time.nullable(),
      changed_by: z.string().nullable(),
    }),
    columns: ['name', 'is_shown', 'position', 'note', 'nodes', 'gpus', 'free', 'changed_by', 'changed_at'],
    references: { changed_by: 'users' },
    sort: ['id', 'name', 'position', 'nodes', 'gpus', 'free', 'changed_at'],
    filter: { ...q, is_shown: z.boolean().optional() },
    edits: ['is_shown', 'position', 'note'],
  },
} as const;

const change = <T extends z.ZodRawShape>(name: keyof typeof PORTAL_RESOURCES, shape: T) =>
  z.strictObject({ ...ignored(PORTAL_RESOURCES[name].row), ...shape, reason } as T & { reason: typeof reason });

const tag = 'admin';
const access = { platform: 'portal' } as const;

export const PORTAL_COMMANDS = {
  adminCreateArticle: defineRoute({
    id: 'adminCreateArticle',
    method: 'POST',
    path: '/admin/articles',
    tag,
    summary: 'A new article, as a draft that nobody else sees. There is one page of each kind but help.',
    access,
    body: z.strictObject({
      slug,
      kind: articleKind.default('help'),
      title,
      content,
      position: position.default(0),
      reason,
    }),
    answer: { raw: PORTAL_RESOURCES.articles.row },
    status: 201,
    problems: ['slug_taken', 'about_exists'],
    bodyBytes: MOST_BYTES,
  }),
  adminEditArticle: defineRoute({
    id: 'adminEditArticle',
    method: 'PUT',
    path: '/admin/articles/{id}',
    tag,
    summary:
      'A new version of an article, as a draft; the published one stays until this is published. Address and place change at once.',
    access,
    params: ofOne,
    body: change('articles', {
      slug: slug.optional(),
      position: position.optional(),
      title: title.optional(),
      content: content.optional(),
    }),
    answer: { raw: editedRow(PORTAL_RESOURCES.articles.row) },
    problems: ['slug_taken', 'edited_meanwhile'],
    bodyBytes: MOST_BYTES,
  }),
  adminPublishArticle: defineRoute({
    id: 'adminPublishArticle',
    method: 'POST',
    path: '/admin/articles/{id}/publish',
    tag,
    summary: 'Shows a version of an article to everybody: the newest, or an earlier one again.',
    access,
    params: ofOne,
    body: z.strictObject({ number: version, reason }),
    answer: { raw: PORTAL_RESOURCES.articles.row },
    problems: ['article_empty'],
  }),
  adminPreviewArticle: defineRoute({
    id: 'adminPreviewArticle',
    method: 'POST',
    path: '/admin/articles/{id}/preview',
    tag,
    summary:
      'Addresses at which the portal shows a version as visitors would see it, in each language, for ten minutes.',
    access,
    params: ofOne,
    body: z.strictObject({ number: version }),
    answer: { raw: z.object({ en: z.string(), zh: z.string(), ja: z.string() }) },
    problems: [],
    asks: true,
    secret: true,
  }),
  adminWithdrawArticle: defineRoute({
    id: 'adminWithdrawArticle',
    method: 'POST',
    path: '/admin/articles/{id}/withdraw',
    tag,
    summary: 'Takes an article from everybody; its versions stay.',
    access,
    params: ofOne,
    body: z.strictObject({ reason }),
    answer: { raw: PORTAL_RESOURCES.articles.row },
    problems: [],
  }),
  adminEditGpuModel: defineRoute({
    id: 'adminEditGpuModel',
    method: 'PUT',
    path: '/admin/gpu-models/{id}',
    tag,
    summary: 'Whether the market shows a GPU model, its place there, and a note. Instances that have it keep it.',
    access,
    params: ofOne,
    body: change('gpu-models', {
      is_shown: z.boolean().optional(),
      position: position.nullish(),
      note: texts(500).nullish(),
    }),
    answer: { raw: editedRow(PORTAL_RESOURCES['gpu-models'].row) },
    problems: ['edited_meanwhile'],
  }),
};
