// The parts of the portal, joined: what anybody may ask without signing in.

import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import type { PageAddress, PageName } from '@gantry/contract/areas/portal/pages.ts';
import { statedStock } from '@gantry/contract/areas/portal/stock-steps.ts';
import { type Image, image } from '@gantry/contract/kinds/image.ts';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { CardHolds } from '../../core/kinds/card-holds.ts';
import type { Core } from '../../core/open.ts';
import { wasTakenOff } from '../../platform/db/taken-off.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { ApiReference } from './api-reference.ts';
import { ArticleFaults } from './article-faults.ts';
import { Articles } from './articles.ts';
import { DatasetLibrary, type DatasetLibraryParts } from './dataset-library.ts';
import { Figures } from './figures.ts';
import { readGuides } from './guides.ts';
import { HelpSearch } from './help-search.ts';
import { Market } from './market.ts';
import { MarketLooks } from './market-looks.ts';
import { ModelLibrary, type ModelLibraryParts } from './model-library.ts';
import { Overview } from './overview.ts';
import { PageViews } from './page-views.ts';
import { portalRoutes } from './portal-routes.ts';
import { Previews } from './previews.ts';
import { Incidents } from './status/incidents.ts';
import { type Checked, StatusChecks } from './status/status-checks.ts';

export interface OpenPortal {
  articles: Articles;
  routes: readonly Served[];
  /** Of a spec, what somebody who is not signed in is told. */
  stated<Spec extends GpuSpecView>(spec: Spec): Spec;
  incidents: Incidents;
  faults: ArticleFaults;
  previews: Previews;
  views: PageViews;
  /** Whether a page that is not there was once. */
  isGone(address: PageAddress): Promise<boolean>;
  /** Counts from now on what the market has and how the platform is, and publishes the articles that come with the product. */
  start(check: () => Promise<Checked>): void;
  stop(): Promise<void>;
}

export function openPortal(
  { config, db, clock, log }: Pick<Platform, 'config' | 'db' | 'clock' | 'log'>,
  {
    cluster,
    operation,
    billing: { prices },
    messages,
  }: Pick<Core, 'cluster' | 'operation' | 'messages'> & { billing: Pick<Core['billing'], 'prices'> },
  library: Pick<ModelLibraryParts, 'models' | 'deployments'> &
    Pick<DatasetLibraryParts, 'datasets' | 'versions' | 'tables'>,
): OpenPortal {
  const looks = new MarketLooks({ db, clock, log });
  const how = () => operation.config().marketStock;
  const market = new Market({
    ...{ clock, looks, how, stock: cluster.kinds, prices: prices.views, currency: config.currency },
    models: () => operation.state.models,
  });
  const figures = new Figures({
    prices: prices.views,
    console: new URL(config.publicUrl).origin,
    images: () =>
      cluster.cache.list<Image>(image, PLATFORM_NAMESPACE).flatMap(({ spec }) => (spec.official ? [spec.source] : [])),
    market: () => market.counted().models.map(({ id, price }) => ({ id, hour: price.hour?.amount ?? null })),
  });
  const articles = new Articles({ db, clock, figures });
  const models = new ModelLibrary({
    ...{ ...library, clock, market, prices: prices.views, region: config.region },
  });
  const datasets = new DatasetLibrary({ ...library, clock, publicUrl: config.publicUrl });
  const overview = new Overview({
    shelved: async () => ({ models: await models.count(), datasets: await datasets.count() }),
    ...{ market, articles, shown: prices.shown, announcements: messages.announcements },
    welcomeCredit: () => operation.config().welcomeCredit,
  });
  const holds = new CardHolds({
    ...{ db, clock, log, kinds: cluster.kinds, key: config.keyed('holds'), currency: config.currency },
  });
  cluster.kinds.holdBy(holds);
  const ender = new AbortController();
  let following: Promise<void> | undefined;
  const turn = new Turn({ db, clock, log }, 'market-looks');
  const checks = new StatusChecks({ db, clock, log });
  const checkTurn = new Turn({ db, clock, log }, 'status-checks');
  const incidents = new Incidents({ db, clock });
  const portal = new URL(config.portalUrl).origin;
  const previews = new Previews({ articles, clock, portal, keyed: config.keyed });
  const OBJECTS: Partial<Record<PageName, (id: string) => Promise<unknown>>> = {
    computing: (id) => market.read(id, 'en'),
    model: (id) => models.read(id, 'en'),
    datasetDetail: (id) => datasets.read(id, 'en'),
  };
  const faults = new ArticleFaults({
    ...{ articles, portal },
    exists: async ({ name, params }) =>
      (await OBJECTS[name]?.(params.id ?? '').then(
        () => true,
        () => false,
      )) ?? true,
  });
  const views = new PageViews({ db, clock, log, isOn: () => operation.config().portalCounts === 'on' });
  let counting: Promise<void> | undefined;
  let seeding: Promise<void> = Promise.resolve();
  return {
    ...{ articles, incidents, faults, previews, views },
    async isGone({ name, params }) {
      const [kind, param] = TAKEN_OFF[name] ?? [];
      return kind !== undefined && wasTakenOff(db, kind, params[param ?? ''] ?? '');
    },
    routes: portalRoutes({
      ...{ articles, market, overview, models, datasets, holds, help: new HelpSearch(articles) },
      ...{ checks, incidents, reference: new ApiReference() },
    }),
    stated: (spec) => statedSpec(spec, how()),
    start(check) {
      checkTurn.start((signal) => checks.run(check, signal));
      turn.start((signal) => looks.run(() => market.look(), signal));
      following = holds.run(ender.signal);
      counting = views.run(ender.signal);
      seeding = articles
        .seed(readGuides())
        .catch((error: unknown) => log.warn({ err: error }, 'the help articles of the product were not published'));
    },
    async stop() {
      ender.abort();
      await Promise.all([turn.stop(), checkTurn.stop(), following, counting, seeding]);
    },
  };
}

/** What can be taken off, and which parameter of its page names it. */
const TAKEN_OFF: Partial<Record<PageName, [kind: Parameters<typeof wasTakenOff>[1], param: string]>> = {
  article: ['article', 'slug'],
  model: ['model', 'id'],
  datasetDetail: ['dataset', 'id'],
};

function statedSpec<Spec extends GpuSpecView>(spec: Spec, how: Parameters<typeof statedStock>[1]): Spec {
  if (how === 'exact') return spec;
  const stated = (count: number) => statedStock(count, how);
  return {
    ...spec,
    ...{ nodes: stated(spec.nodes), total: stated(spec.total), free: stated(spec.free) },
    free_nodes: stated(spec.free_nodes),
    starts: spec.starts.map(({ count, free }) => ({ count, free: stated(free) })),
  };
}
