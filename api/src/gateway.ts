// The gateway: the platform, the core, then the areas, in the order in which they need each other. Whatever was opened is closed again
// in reverse, at a stop as after a start that fails.
import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PLATFORM_ROUTES } from '@gantry/contract/areas/settings/platform.ts';
import { type ModelDeploymentSpec, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { type Clock, systemClock } from '@gantry/kube/clock.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { poolOf } from '@gantry/kube/placement.ts';
import type { Logger } from 'pino';
import { adminComputingRoutes } from './areas/admin/admin-computing-routes.ts';
import { adminHomeRoutes } from './areas/admin/admin-home-routes.ts';
import { adminRoutes } from './areas/admin/admin-routes.ts';
import { openAdmin } from './areas/admin/open.ts';
import { openAdminHome } from './areas/admin/open-home.ts';
import { openAlerts } from './areas/alerts/open.ts';
import { openBackups } from './areas/backups/open.ts';
import { unfinishedRestore } from './areas/backups/restore.ts';
import { type OpenContainerServices, openContainerServices } from './areas/container-services/open.ts';
import { type OpenDatasets, openDatasets } from './areas/datasets/open.ts';
import { CHECKS } from './areas/doctor/checks.ts';
import { ClusterChecks } from './areas/doctor/cluster-checks.ts';
import { databaseOf, surroundingsOf } from './areas/doctor/surroundings.ts';
import { openEvaluation } from './areas/evaluation/open.ts';
import { startGpuFaults } from './areas/gpu-faults/open.ts';
import { openIdle } from './areas/idle/open.ts';
import { type OpenCompletions, openCompletions } from './areas/inference/open.ts';
import { type InstanceAccess, openInstanceAccess } from './areas/instances/open.ts';
import { openKubeGate } from './areas/kubectl/open.ts';
import { collectedRoutes } from './areas/models/collected-routes.ts';
import { modelRoutes } from './areas/models/model-routes.ts';
import { openModelArea } from './areas/models/open.ts';
import type { OpenModels } from './areas/models/open-models.ts';
import { openMonitor } from './areas/monitoring/open.ts';
import { type OpenPortal, openPortal } from './areas/portal/open.ts';
import { openPages } from './areas/portal/open-pages.ts';
import { probed } from './areas/portal/status/probes.ts';
import { openProcessing } from './areas/processing/open.ts';
import { openTracking } from './areas/tracking/open.ts';
import { openTuning } from './areas/tuning/open.ts';
import { answersTo } from './commands.ts';
import { openDataServers } from './core/data-server/open.ts';
import { objectStoreProbe, openFiles } from './core/files/open.ts';
import { kindRoutes } from './core/kinds/kind-routes.ts';
import { type Cluster, openCluster } from './core/kinds/open-cluster.ts';
import { openObjectUsage } from './core/kinds/usage/open.ts';
import { openLineage } from './core/lineage/open.ts';
import { type Core, openCore } from './core/open.ts';
import { onMarket } from './core/settings/market-models.ts';
import { settingsOf } from './core/settings/settings-of.ts';
import { Tables } from './core/tables/tables.ts';
import { openTasks } from './core/tasks/open.ts';
import { openVectors } from './core/vectors/open.ts';
import { Closing } from './platform/closing.ts';
import type { Config } from './platform/config.ts';
import { type Database, openDatabase } from './platform/db/open.ts';
import { type AppParts, createApp } from './platform/http/app.ts';
import { Idempotency } from './platform/http/idempotency.ts';
import type { Metrics } from './platform/http/metrics.ts';
import { type Served, serve } from './platform/http/serve.ts';
import { type ConsoleParts, cardOrigins } from './platform/http/serve-console.ts';
import { SHORT_WAY_LIMITS, serveHttp, takeUpgrades } from './platform/http/serve-http.ts';
import { explain } from './platform/kube/refusals.ts';
import { openPlatform, type Platform } from './platform/open.ts';
import { openPrivateDoor } from './platform/private-door.ts';
import { layShortWay } from './platform/relay/short-way.ts';

export interface Gateway {
  /** The address at which the API is served. */
  url: string;
  /** Accepts nothing new, lets running calls finish, and closes what it opened. */
  stop(): Promise<void>;
}

/** Parts that tests have already opened; they are closed with the rest. */
interface Doubles {
  db?: Database;
  cluster?: Cluster;
  /** Whether an engine may have this address; absent: any address of a Pod. */
  isEngineAddress?: (ip: string) => boolean;
  /** The clock for everything but connections, which take the time they take. */
  clock?: Clock;
}

const SWEEP_MS = 3_600_000;

/** Resolves once it answers. */
export async function startGateway(config: Config, log: Logger, doubles: Doubles = {}): Promise<Gateway> {
  const closing = new Closing();
  try {
    return await start(config, log, doubles, closing);
  } catch (error) {
    await closing.close().catch((also: unknown) => log.warn({ err: also }, 'what was opened was not closed'));
    throw error;
  }
}

async function start(config: Config, log: Logger, doubles: Doubles, closing: Closing): Promise<Gateway> {
  const { clock = systemClock } = doubles;
  const db =
    doubles.db ?? (await openDatabase(config.databaseUrl ? { url: config.databaseUrl } : { folder: config.dataDir }));
  closing.add(() => db.close());
  const unfinished = await unfinishedRestore(db);
  if (unfinished)
    throw new BadConfig(
      `the restore of ${unfinished} has not ended, and the gateway would bill what is not there yet: run "restore --from=${unfinished}" again`,
    );
  const platform = openPlatform(config, { db, clock, log, closing });
  const cluster = doubles.cluster ?? clusterOf(config, log);
  // On PostgreSQL commands work by themselves.
  if (db.kind === 'pglite' && config.dataDir)
    closing.add(await openPrivateDoor(config.dataDir, answersTo(db, config, cluster.client)));
  const core = await openCore(platform, cluster);
  const areas = await openAreas(platform, core, doubles);

  const { metrics, limits, audit, origins } = platform;
  const idempotency = new Idempotency({ db, clock, key: config.keyed('idempotency') });
  closing.add(sweeping(idempotency, log));
  closing.add(await serveMetrics(metrics, config, log));

  let isStopping = false;
  const { operation, billing } = core;
  const paymentChannels = billing.payments.payments.channels.map(({ name }) => name);
  const appParts: AppParts = {
    log,
    answerLimitMs: config.answerLimitMs,
    staffSecondFactor: config.staffSecondFactor,
    settings: () => settingsOf(operation.config(), paymentChannels, operation.closed()),
    closed: (feature) => operation.state.closed(feature),
    origins,
    console: consoleOf(config),
    trustedProxies: config.trustedProxies,
    authenticate: core.authenticate,
    explain,
    audit,
    idempotency,
    limits,
    metrics,
    isStopping: () => isStopping,
    missing: async () => [
      ...(cluster.cache.synced ? [] : ['the cluster']),
      ...(await db.ping().then(
        () => [],
        () => ['the database'],
      )),
    ],
  };
  const app = createApp(appParts, areas.routes);
  const onFault = (error: unknown) => log.warn({ err: error }, 'a handshake failed');
  const gate = await openKubeGate(platform, core, onFault);
  closing.add(() => gate.stop());
  const server = await serveHttp((req, res) => {
    if (!areas.answer(req, res)) app(req, res);
  }, config);
  if (config.adminDir !== '') {
    const console = { folder: builtIn(config.adminDir, '--admin-dir') };
    const admin = createApp({ ...appParts, origins: [new URL(config.adminUrl).origin], console }, areas.routes);
    closing.add(await serveAdmin(admin, config, log));
  }
  if (config.portalDir !== '') {
    const routes = [...areas.routes, serve(PLATFORM_ROUTES.getSettings, () => appParts.settings())];
    const pages = openPages({ config, now: operation.config, clock, log, routes, portal: areas.portal });
    const beside = createApp(
      { ...appParts, origins: [new URL(config.portalUrl).origin], console: undefined },
      areas.routes,
    );
    const place = { host: config.portalHost, port: config.portalPort };
    const { url, stop } = await serveHttp((req, res) => void (pages(req, res) || beside(req, res)), place);
    closing.add(stop);
    log.info({ url }, 'the portal is served');
  }
  takeUpgrades(server.server, areas.access.upgrade, onFault);
  areas.start(server.url);
  if (areas.access.web || areas.containerServices.web)
    closing.add(await serveTenants([areas.containerServices.web, areas.access.web], config, log, onFault));
  log.info({ url: server.url }, 'the gateway is up');
  return {
    url: server.url,
    async stop() {
      isStopping = true;
      // If there are several gateways, the others get new calls once this one is known not to be ready.
      await sleep(config.drainMs);
      const ended = server.stop();
      core.messages.hub.close();
      gate.endStreams();
      await areas.access.stop();
      await ended;
      await closing.close();
    },
  };
}

/** One feature, opened. */
interface Area {
  routes?: readonly Served[];
  stop?(): unknown;
}

interface Areas {
  routes: readonly Served[];
  /** /v1, which is beside the routes. */
  answer: OpenCompletions['answer'];
  access: InstanceAccess;
  portal: Pick<OpenPortal, 'previews' | 'isGone' | 'views'>;
  containerServices: OpenContainerServices;
  /** Starts the parts that need incoming requests, which come to this address. */
  start(url: string): void;
}

/** In the order in which they need each other. */
async function openAreas(platform: Platform, core: Core, doubles: Doubles): Promise<Areas> {
  const { config, db, clock, log, closing } = platform;
  const { cluster, operation } = core;
  const routes: Served[] = [];
  const opened = <One extends Area>(area: One): One => {
    if (area.stop) closing.add(() => area.stop?.());
    routes.push(...(area.routes ?? []));
    return area;
  };
  opened(core);
  const objectUsage = opened(
    openObjectUsage({ ...cluster, places: core.places, clusterOf: core.clusterOf, clock, log }),
  );
  const idle = opened(openIdle(platform, core));
  const alerts = opened(openAlerts(platform, core));
  alerts.start();
  opened({ stop: startGpuFaults(platform, core) });
  const home = opened(openAdminHome(platform, core));
  const clusterChecks = opened(
    new ClusterChecks({
      ...{ db, clock, log, checks: CHECKS },
      surroundings: () =>
        surroundingsOf(config, { client: cluster.client, clock, isInstalled: true, database: databaseOf(db, clock) }),
    }),
  );
  const stored = opened(await openFiles(platform, core));
  const tasks = openTasks(platform, cluster, stored);
  const tracking = opened(openTracking(platform, cluster));
  const data = stored.blobs && openDataServers(platform, cluster, stored.blobs);
  const tuning = opened(
    openTuning(platform, cluster, {
      ...{ tasks, blobs: stored.blobs, data, tariffs: core.billing.tariffs },
      models: () => models.tuned,
      datasets: () => datasets.processed,
    }),
  );
  const models: OpenModels = opened(
    openModelArea(platform, core, stored, {
      ...{ made: tuning.made, usedBy: tuning.usesModel },
      scoresOf: (...of) => evaluation.scoresOf(...of),
    }),
  );
  const tables = stored.blobs && new Tables(stored.blobs);
  const vectors = stored.blobs && openVectors(platform, stored.blobs);
  if (vectors) opened({ stop: vectors.stop });
  const processing = opened(
    openProcessing(platform, cluster, {
      ...{ tasks, tables, data, downloadsAtOnce: stored.downloadsAtOnce },
      ...{ models: () => completions, tariffs: core.billing.tariffs },
      datasets: () => datasets.processed,
    }),
  );
  const evaluation = opened(
    openEvaluation(platform, cluster, {
      ...{ tasks, tables, stored, tariffs: core.billing.tariffs },
      models: () => models.evaluated,
      datasets: () => datasets.processed,
      costs: () => completions.costs,
    }),
  );
  const datasets: OpenDatasets = opened(
    openDatasets({
      ...{ db, clock, stored, collected: models.collected },
      sources: { ...models.sources, made: processing.made },
      forgetWork: tasks && ((tx, dataset) => tasks.store.forget(tx, dataset)),
      data,
      rows: tables,
      large: vectors?.vectors,
      usedBy: (...of) => [...processing.usedBy(...of), ...tuning.usesDataset(...of), ...evaluation.usesDataset(...of)],
    }),
  );
  const backups = opened(openBackups(platform, core));
  const objectStore = objectStoreProbe(platform.config);
  const portal = opened(
    openPortal(platform, core, {
      ...{ models: models.models, deployments: models.deployments },
      ...{ datasets: datasets.datasets, versions: datasets.versions, tables: datasets.tables },
    }),
  );
  opened({
    routes: kindRoutes(cluster.kinds, {
      clock,
      market: (specs, language, isSignedIn) =>
        onMarket(specs, operation.state.models).map((spec) => ({
          ...(isSignedIn ? spec : portal.stated(spec)),
          note: spec.note?.[language] || null,
        })),
      demands: {
        [modelDeployment.kind]: ({ caller, body, language }) =>
          models.deployments.demandFit(caller, body as unknown as ModelDeploymentSpec, language),
      },
    }),
  });
  const admin = opened(
    openAdmin(platform, core, {
      articles: portal.articles,
      ...{ incidents: portal.incidents, faults: portal.faults, previews: portal.previews, pageViews: portal.views },
      clusterChecks,
      backups,
      shelf: models.shelf,
      datasetShelf: datasets.shelf,
    }),
  );
  opened({ routes: [...adminHomeRoutes(home), ...adminRoutes(admin), ...adminComputingRoutes(admin.computing)] });
  opened({ routes: [...modelRoutes(models), ...collectedRoutes(models)] });
  opened(
    openLineage(platform, cluster, {
      shown: { model: (id) => models.models.ownerOfShown(id), dataset: (id) => datasets.datasets.ownerOfShown(id) },
      downloadsAtOnce: stored.downloadsAtOnce,
    }),
  );
  models.start();
  tuning.start();
  tracking.start();
  evaluation.start();
  stored.start();
  vectors?.start((sha256s) => datasets.knowledge.areUsed(sha256s));
  tasks?.start();
  const access = opened(openInstanceAccess(platform, core, idle.visited));
  opened({ routes: openMonitor(platform, core) });
  const containerServices = opened(openContainerServices(platform, core, access.visits, objectUsage.latest));
  const authenticate = tasks?.authenticate(core.authenticate) ?? core.authenticate;
  const completions: OpenCompletions = opened(
    openCompletions(
      platform,
      { ...core, authenticate },
      { collector: models.collector, knowledge: datasets.knowledge },
      doubles.isEngineAddress,
    ),
  );
  return {
    routes,
    ...{ access, containerServices, answer: completions.answer, portal },
    start(url) {
      tasks?.listensAt(url);
      access.start();
      objectUsage.start();
      containerServices.start();
      completions.start();
      portal.start(() =>
        probed({
          url: new URL(url).origin,
          hasConsole: platform.config.consoleDir !== '',
          health: () => admin.health.rows(),
          store: objectStore,
        }),
      );
      idle.start((facts, object) =>
        facts.api?.usage ? objectUsage.usedNow(facts as Parameters<typeof objectUsage.usedNow>[0], object) : [],
      );
    },
  };
}

/** Returns how to stop it. */
function sweeping(idempotency: Idempotency, log: Logger): () => void {
  const sweep = () =>
    idempotency.sweep().catch((error) => log.warn({ err: error }, 'old keys of calls were not swept'));
  const timer = setInterval(() => void sweep(), SWEEP_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Services have hosts of their own; every other one is an instance's or nobody's. Returns how to stop it. */
async function serveTenants(
  [services, instances]: [OpenContainerServices['web'], InstanceAccess['web']],
  { tenantHost: host, tenantPort: port }: Config,
  log: Logger,
  onFault: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const { server, url, stop } = await serveHttp(
    (req, res) => {
      if (services?.answer(req, res)) return;
      if (instances) instances.answer(req, res);
      else res.writeHead(404, { 'content-length': '0' }).end();
    },
    { host, port },
  );
  if (services) layShortWay(server, (req, reply) => services.answerPlain(req, reply), SHORT_WAY_LIMITS);
  takeUpgrades(
    server,
    (req, socket, head) => services?.upgrade(req, socket, head) || (instances?.upgrade(req, socket, head) ?? false),
    onFault,
  );
  log.info({ url }, "tenants' web content is served");
  return stop;
}

/** Returns how to stop it. */
async function serveAdmin(
  app: RequestListener,
  { adminHost: host, adminPort: port }: Config,
  log: Logger,
): Promise<() => Promise<void>> {
  const { url, stop } = await serveHttp(app, { host, port });
  log.info({ url }, "the operators' console is served");
  return stop;
}

async function serveMetrics({ registry }: Metrics, config: Config, log: Logger): Promise<() => Promise<void>> {
  const { url, stop } = await serveHttp(
    async (req, res) => {
      if (req.url !== '/metrics') return void res.writeHead(404).end();
      res.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
    },
    { host: config.metricsHost, port: config.metricsPort },
  );
  log.info({ url: `${url}/metrics` }, 'metrics are served');
  return stop;
}

export const clusterOf = ({ kubeconfig, region, regionLabel, ...config }: Config, log: Logger): Cluster =>
  openCluster({
    kubeconfig,
    region: { id: region, label: regionLabel },
    clock: systemClock,
    log,
    pool: poolOf(config),
  });

function consoleOf({ consoleDir, stripeKeyFile, stripeJsUrl, stripeUrl }: Config): ConsoleParts | undefined {
  if (consoleDir === '') return undefined;
  const folder = builtIn(consoleDir, '--console-dir');
  return { folder, cards: stripeKeyFile === '' ? undefined : cardOrigins(stripeJsUrl, stripeUrl) };
}

/** Throws BadConfig if it holds no built app. */
function builtIn(folder: string, flag: string): string {
  if (existsSync(join(folder, 'index.html'))) return folder;
  throw new BadConfig(`${flag}: there is no built console in "${folder}"`);
}
