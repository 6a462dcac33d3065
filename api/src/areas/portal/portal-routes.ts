// Published help articles and the about page, for anybody. A browser keeps them for a minute and asks again with the tag.

import { PORTAL_ROUTES } from '@gantry/contract/areas/portal/portal.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { type Call, type Served, serve } from '../../platform/http/serve.ts';
import { type Prepared, preparedOf } from '../../platform/http/write-answer.ts';
import type { Articles } from './articles.ts';

export const portalRoutes = ({ articles }: { articles: Pick<Articles, 'heads' | 'read'> }): Served[] => [
  serve(PORTAL_ROUTES.listArticles, async (call) =>
    kept(call, PORTAL_ROUTES.listArticles, await articles.heads(call.language)),
  ),
  serve(PORTAL_ROUTES.readArticle, async (call) =>
    kept(call, PORTAL_ROUTES.readArticle, await articles.read(call.params, call.language)),
  ),
  serve(PORTAL_ROUTES.readAbout, async (call) =>
    kept(call, PORTAL_ROUTES.readAbout, await articles.read('about', call.language)),
  ),
];

/** The language is the header's: a cache keeps one for each. */
function kept({ res }: Pick<Call, 'res'>, route: RouteFacts, answer: unknown): Prepared {
  // Somebody signed in may have another language than their browser: what is kept is theirs alone.
  res.setHeader('cache-control', 'private, max-age=60');
  res.appendHeader('vary', 'Accept-Language');
  return preparedOf(route, answer);
}
