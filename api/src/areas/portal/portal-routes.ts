// What anybody may ask of the portal. Articles are kept by browsers for a minute; whatever else changes by itself is asked about each time,
// with its tag.

import { API_REFERENCE_ROUTES } from '@gantry/contract/areas/portal/api-reference.ts';
import { HOLD_ROUTES } from '@gantry/contract/areas/portal/holds.ts';
import { LIBRARY_ROUTES } from '@gantry/contract/areas/portal/library.ts';
import { MARKET_ROUTES } from '@gantry/contract/areas/portal/market.ts';
import { PORTAL_ROUTES } from '@gantry/contract/areas/portal/portal.ts';
import { STATUS_ROUTES } from '@gantry/contract/areas/portal/status.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import type { CardHolds } from '../../core/kinds/card-holds.ts';
import { type Call, type Served, serve } from '../../platform/http/serve.ts';
import { type Prepared, preparedJson, preparedOf } from '../../platform/http/write-answer.ts';
import type { ApiReference } from './api-reference.ts';
import type { Articles } from './articles.ts';
import type { DatasetLibrary } from './dataset-library.ts';
import type { HelpSearch } from './help-search.ts';
import type { Market } from './market.ts';
import type { ModelLibrary } from './model-library.ts';
import type { Overview } from './overview.ts';
import type { Incidents } from './status/incidents.ts';
import type { StatusChecks } from './status/status-checks.ts';

export const portalRoutes = ({
  articles,
  help,
  market,
  overview,
  models,
  datasets,
  holds,
  reference,
  checks,
  incidents,
}: {
  articles: Pick<Articles, 'read' | 'readPage' | 'rate' | 'votes'>;
  help: Pick<HelpSearch, 'list' | 'related'>;
  market: Pick<Market, 'list' | 'read' | 'placesOf'>;
  overview: Pick<Overview, 'read'>;
  models: Pick<ModelLibrary, 'page' | 'read'>;
  checks: Pick<StatusChecks, 'components'>;
  incidents: Pick<Incidents, 'shown'>;
  datasets: Pick<DatasetLibrary, 'page' | 'read' | 'rows' | 'croissant'>;
  holds: Pick<CardHolds, 'hold' | 'read' | 'claim'>;
  reference: Pick<ApiReference, 'overview' | 'area'>;
}): Served[] => [
  serve(PORTAL_ROUTES.listArticles, async (call) =>
    kept(call, PORTAL_ROUTES.listArticles, await help.list(call.query.q, call.language)),
  ),
  serve(PORTAL_ROUTES.readArticle, async (call) => {
    const { slug } = call.params;
    const article = await articles.read({ slug }, call.language);
    const [related, helpful] = await Promise.all([help.related(slug, call.language), articles.votes(slug)]);
    return kept(call, PORTAL_ROUTES.readArticle, { ...article, related, helpful });
  }),
  serve(PORTAL_ROUTES.rateArticle, ({ params, body }) => articles.rate(params.slug, body.helpful)),
  serve(PORTAL_ROUTES.readAbout, async (call) =>
    kept(call, PORTAL_ROUTES.readAbout, await articles.read('about', call.language)),
  ),
  ...(
    [
      ['contact', PORTAL_ROUTES.readContact],
      ['terms', PORTAL_ROUTES.readTerms],
      ['privacy', PORTAL_ROUTES.readPrivacy],
    ] as const
  ).map(([kind, route]) =>
    serve(route, async (call) => kept(call, route, await articles.readPage(kind, call.language))),
  ),
  serve(PORTAL_ROUTES.readOverview, async (call) =>
    fresh(call, PORTAL_ROUTES.readOverview, await overview.read(call.language)),
  ),
  serve(STATUS_ROUTES.readStatus, async (call) => {
    const [components, shown] = await Promise.all([checks.components(), incidents.shown(call.language)]);
    return fresh(call, STATUS_ROUTES.readStatus, { components, incidents: shown });
  }),
  serve(MARKET_ROUTES.listMarket, async (call) =>
    fresh(call, MARKET_ROUTES.listMarket, await market.list(call.language)),
  ),
  serve(MARKET_ROUTES.readMarketModel, async (call) =>
    fresh(call, MARKET_ROUTES.readMarketModel, await market.read(call.params.id, call.language)),
  ),
  serve(HOLD_ROUTES.holdCard, ({ body: { region, ...wish }, ip }) =>
    holds.hold({ ...wish, regions: market.placesOf(wish.model, region) }, ip),
  ),
  serve(HOLD_ROUTES.readHold, ({ params, res }) => {
    res.setHeader('cache-control', 'no-store');
    return holds.read(params.id);
  }),
  serve(HOLD_ROUTES.claimHold, ({ params, caller }) => holds.claim(params.id, caller.organization.id)),
  serve(LIBRARY_ROUTES.listPortalModels, async (call) =>
    fresh(call, LIBRARY_ROUTES.listPortalModels, await models.page(call.query), call.query),
  ),
  serve(LIBRARY_ROUTES.readPortalModel, async (call) =>
    fresh(call, LIBRARY_ROUTES.readPortalModel, await models.read(call.params.id, call.language)),
  ),
  serve(LIBRARY_ROUTES.listPortalDatasets, async (call) =>
    fresh(call, LIBRARY_ROUTES.listPortalDatasets, await datasets.page(call.query), call.query),
  ),
  serve(LIBRARY_ROUTES.readPortalDataset, async (call) =>
    fresh(call, LIBRARY_ROUTES.readPortalDataset, await datasets.read(call.params.id, call.language)),
  ),
  serve(LIBRARY_ROUTES.readPortalDatasetRows, async ({ params, language, signal }) =>
    preparedJson(LIBRARY_ROUTES.readPortalDatasetRows, await datasets.rows(params.id, language, signal)),
  ),
  serve(LIBRARY_ROUTES.readPortalDatasetCroissant, async (call) =>
    fresh(call, LIBRARY_ROUTES.readPortalDatasetCroissant, await datasets.croissant(call.params.id, call.language)),
  ),
  serve(API_REFERENCE_ROUTES.listApiAreas, (call) =>
    kept(call, API_REFERENCE_ROUTES.listApiAreas, reference.overview(call.language)),
  ),
  serve(API_REFERENCE_ROUTES.readApiArea, async (call) =>
    kept(call, API_REFERENCE_ROUTES.readApiArea, await reference.area(call.params.area, call.language)),
  ),
];

type Writes = Pick<Call, 'res'>;

/** The language is the header's: a cache keeps one for each. */
function kept({ res }: Writes, route: RouteFacts, answer: unknown): Prepared {
  // Somebody signed in may have another language than their browser: what is kept is theirs alone.
  res.setHeader('cache-control', 'private, max-age=60');
  return fresh({ res }, route, answer);
}

function fresh({ res }: Writes, route: RouteFacts, answer: unknown, asked?: unknown): Prepared {
  res.appendHeader('vary', 'Accept-Language');
  return preparedOf(route, answer, asked);
}
