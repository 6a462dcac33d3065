// Help articles and the about page, as everybody reads them.
import * as z from 'zod';
import { time } from '../../http/admin-resource.ts';
import { defineRoute } from '../../http/define-route.ts';
import { slug } from './admin-portal.ts';

const articleHead = z.object({ slug: z.string(), title: z.string(), published_at: time });
export const article = articleHead.extend({ content: z.string().meta({ description: 'Markdown without HTML.' }) });

/** For anybody, in the language of the request; kept by browsers, and asked about again (ETag). */
export const PORTAL_ROUTES = {
  listArticles: defineRoute({
    id: 'listArticles',
    method: 'GET',
    path: '/portal/v1/articles',
    tag: 'portal',
    summary: 'The published help articles, in their order.',
    access: 'public',
    answer: { data: z.array(articleHead) },
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
    answer: { result: article },
    problems: ['not_found'],
  }),
};
