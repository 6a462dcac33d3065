// Help articles and the pages that staff write, as everybody reads them, and the numbers of the home page.
import * as z from 'zod';
import { currencyCode, money } from '../../fields/amounts.ts';
import { time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';
import { price } from '../../kind-api.ts';
import { planFacts } from '../billing/prices.ts';
import { slug } from './admin-portal.ts';
import { ranges } from './library.ts';
import { stock } from './market.ts';
import { MARKET_STOCK } from './stock-steps.ts';

const count = z.int().min(0);
const articleHead = z.object({
  slug: z.string(),
  title: z.string(),
  published_at: time.meta({ description: 'When this text of it was published.' }),
});
const articleFound = articleHead.extend({
  found: z
    .object({
      title_ranges: ranges,
      excerpt: z.string().meta({ description: 'Plain text around what was sought.' }),
      excerpt_ranges: ranges,
    })
    .nullable()
    .meta({ description: 'Where what was sought stands; null without a search.' }),
});
export type ArticleFoundView = z.input<typeof articleFound>;
const text = articleHead.extend({ content: z.string().meta({ description: 'Markdown without HTML.' }) });
export const article = text.extend({
  related: z.array(articleHead).meta({ description: 'Articles that share the most words with it, up to five.' }),
  helpful: z.object({ yes: count, no: count }).meta({ description: 'How many said that it helped, or did not.' }),
});

const overview = z.object({
  stock: z.enum(MARKET_STOCK).meta({ description: 'How exactly counts are told.' }),
  currency: currencyCode,
  gpu_models: count,
  free: stock.meta({ description: 'Cards that anybody could have now.' }),
  total: stock,
  least_hour: price.meta({ description: 'The least that a card costs by the hour; null where nothing has a price.' }),
  regions: z.array(z.object({ region: z.string(), name: z.string(), is_reached: z.boolean() })),
  models: count.meta({ description: 'Models that the platform offers.' }),
  datasets: count,
  articles: count,
  welcome_credits: money.meta({ description: 'Credits of each person who is verified, once.' }),
  plans: z.array(planFacts),
  announcements: z
    .array(z.object({ id: z.string(), title: z.string(), content: z.string(), starts_at: time, ends_at: time }))
    .meta({ description: 'Those that hold now, the newest first.' }),
});
export type OverviewView = z.input<typeof overview>;

/** A page that staff write. */
const written = <const Id extends string, const Name extends string>(id: Id, name: Name, summary: string) =>
  defineRoute({
    id,
    method: 'GET',
    path: `/portal/v1/${name}`,
    tag: 'portal',
    summary,
    access: 'public',
    answer: { result: text.nullable() },
    problems: [],
  });

/** For anybody, in the language of the request; kept by browsers, and asked about again (ETag). */
export const PORTAL_ROUTES = {
  listArticles: defineRoute({
    id: 'listArticles',
    method: 'GET',
    path: '/portal/v1/articles',
    tag: 'portal',
    summary: 'The published help articles, in their order; of a search the best first, with what was found.',
    access: 'public',
    query: z.strictObject({ q: z.string().max(100).optional() }),
    answer: { data: z.array(articleFound) },
    problems: [],
  }),
  readArticle: defineRoute({
    id: 'readArticle',
    method: 'GET',
    path: '/portal/v1/articles/{slug}',
    tag: 'portal',
    summary: 'A published help article.',
    access: 'public',
    params: z.object({ slug }),
    answer: { result: article },
    problems: ['slug_rule'],
  }),
  readAbout: defineRoute({
    id: 'readAbout',
    method: 'GET',
    path: '/portal/v1/about',
    tag: 'portal',
    summary: 'The about page.',
    access: 'public',
    answer: { result: text },
    problems: ['not_found'],
  }),
  readContact: written(
    'readContact',
    'contact',
    'How to reach the operator, in the words of staff; null until they are written.',
  ),
  readTerms: written('readTerms', 'terms', 'The terms of service, in the words of staff; null until they are written.'),
  readPrivacy: written(
    'readPrivacy',
    'privacy',
    'The privacy notice, in the words of staff; null until it is written.',
  ),
  rateArticle: defineRoute({
    id: 'rateArticle',
    method: 'POST',
    path: '/portal/v1/articles/{slug}/helpful',
    tag: 'portal',
    summary: 'Whether a help article helped: it is counted, and nothing else is kept.',
    access: 'public',
    params: z.object({ slug }),
    body: z.strictObject({ helpful: z.boolean() }),
    answer: { text: 'ok' },
    problems: ['slug_rule', 'not_found', 'too_many_requests'],
    attemptsPerMinute: 10,
  }),
  readOverview: defineRoute({
    id: 'readOverview',
    method: 'GET',
    path: '/portal/v1/overview',
    tag: 'portal',
    summary: 'The numbers of the home page, as they are now.',
    access: 'public',
    answer: { result: overview },
    problems: [],
  }),
};
