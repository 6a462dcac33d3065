// Wires the portal's pages: the build's folder, the public calls that they read, and the thread that renders them.
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type PageAddress,
  type PageInput,
  type PageQuery,
  pathOf,
  type RenderedPage,
} from '@gantry/contract/areas/portal/pages.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { Call, OutputOf } from '@gantry/contract/http/call.ts';
import type { CALLS } from '@gantry/contract/http/calls.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import type { Logger } from 'pino';
import { Aside, taskIn } from '../../platform/aside/aside.ts';
import type { Config } from '../../platform/config.ts';
import type { Served } from '../../platform/http/serve.ts';
import { brandedOf } from './branded.ts';
import type { PageViews } from './page-views.ts';
import type { ListedObject } from './pages/lists.ts';
import { type PageReader, pageReader } from './pages/page-data.ts';
import { type Branded, servePortal } from './pages/serve-portal.ts';
import type { Previews } from './previews.ts';

interface Parts {
  readonly config: Pick<Config, 'portalDir' | 'portalUrl' | 'publicUrl'>;
  /** With what staff have changed: the same object while nothing has. */
  readonly now: () => Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly portal: {
    readonly previews: Pick<Previews, 'read'>;
    isGone(address: PageAddress): Promise<boolean>;
    readonly views: Pick<PageViews, 'count'>;
  };
  /** Those with the public calls. */
  readonly routes: readonly Served[];
}

const ARTICLES = listed('listArticles', (articles) =>
  articles.map(({ slug, title, published_at: changedAt }) => ({ name: 'article', params: { slug }, title, changedAt })),
);

const API = listed('listApiAreas', ({ areas }) =>
  areas.map(({ area }) => ({ name: 'apiArea', params: { area }, title: `API: ${area}` })),
);

/** The calls that list the objects with pages of their own. */
const LISTED = [
  ARTICLES,
  API,
  listed('listMarket', ({ models }) =>
    models.map(({ id, name }) => ({ name: 'computing', params: { id }, title: name })),
  ),
  listed('listPortalModels', ({ items }) =>
    items.map(({ id, name, update_time }) => ({ name: 'model', params: { id }, title: name, changedAt: update_time })),
  ),
  listed('listPortalDatasets', ({ items }) =>
    items.map(({ id, name, update_time }) => ({
      name: 'datasetDetail',
      params: { id },
      title: name,
      changedAt: update_time,
    })),
  ),
] as const;

/** Those that say what is new. */
const NEWS = [
  ARTICLES,
  listed('readOverview', ({ announcements }) =>
    announcements.map(({ id, title, starts_at: changedAt }) => ({
      ...{ name: 'home', params: {}, title, changedAt },
      fragment: `announcement-${id}`,
    })),
  ),
] as const;

const INCIDENTS = [
  listed('readStatus', ({ incidents }) =>
    incidents.flatMap(({ id, title, updates }) =>
      updates.map(({ at, text }, index) => ({
        ...{ name: 'status', params: {}, title, text, changedAt: at },
        fragment: `incident-${id}-${index + 1}`,
      })),
    ),
  ),
] as const;

/** Of a list in pages; a sitemap has no more. */
const MOST_LISTED_PAGES = 100;

async function allListed({ call, objects }: Row, reader: PageReader, language: Language) {
  const found: ListedObject[] = [];
  let query: PageQuery = {};
  for (let page = 0; page < MOST_LISTED_PAGES; page++) {
    const answer = (await reader.call(call, language, query)) as { extra?: { cursor?: unknown } } | null;
    found.push(...objects(answer));
    const cursor = answer?.extra?.cursor;
    if (typeof cursor !== 'string') break;
    query = { cursor };
  }
  return found;
}

/** Pages that wait to be rendered; beyond them visitors are told to come back. */
const WAITING = 64;
const LANE = 'portal';

type Row = ReturnType<typeof listed>;
type Calls = typeof CALLS;
type AnswerOf<N extends keyof Calls> = Calls[N] extends Call<infer F> ? OutputOf<F> : never;

/** Nothing while the call fails. */
function listed<N extends keyof Calls>(call: N, objects: (answer: AnswerOf<N>) => readonly ListedObject[]) {
  return { call, objects: (answer: unknown) => (answer === null ? [] : objects(answer as AnswerOf<N>)) };
}

/** Throws BadConfig if the folder holds no built portal. */
export function openPages(parts: Parts): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { config, now, clock, log, routes, portal } = parts;
  const program = join(config.portalDir, 'server/server.js');
  if (!existsSync(program)) throw new BadConfig(`--portal-dir: there is no built portal in "${config.portalDir}"`);
  const threads = new Aside({ threads: 2, memoryMb: 256, waitingOfLane: WAITING, waiting: WAITING });
  const task = taskIn<(input: PageInput) => RenderedPage>(pathToFileURL(program), 'render');
  const reader = pageReader(routes, (call, error) =>
    log.warn({ err: error, call }, 'a page lacks what a call answers'),
  );
  const ofRows = async (rows: readonly Row[], language: Language) =>
    (await Promise.all(rows.map((row) => allListed(row, reader, language)))).flat();
  let known: { config: Config; branded: Branded } | undefined;
  const brand = () => {
    const current = now();
    if (known?.config !== current) known = { config: current, branded: brandedOf(current) };
    return known.branded;
  };
  return servePortal({
    clientDir: join(config.portalDir, 'client'),
    site: { portal: new URL(config.portalUrl).origin, console: new URL(config.publicUrl).origin },
    brand,
    clock,
    read: reader.page,
    preview: (ticket, language) => portal.previews.read(ticket, language),
    isGone: (address) => portal.isGone(address),
    seen: ({ name, params, language }) =>
      portal.views.count(pathOf({ name, params, language }).slice(language.length + 1), language),
    render: (input) => threads.run(task, [input], { lane: LANE }),
    listed: (language) => ofRows(LISTED, language),
    news: (language) => ofRows(NEWS, language),
    incidents: (language) => ofRows(INCIDENTS, language),
    onFault: (address, error) => log.warn({ err: error, address }, 'a page of the portal failed'),
  });
}
