// Puts the gateway together and starts it: the one place where its parts meet.
import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { poolOf } from '@gantry/kube/placement.ts';
import express from 'express';
import type { Logger } from 'pino';
import { unfinishedRestore } from './areas/backups/restore.ts';
import { type OpenPublished, openPublished } from './areas/container-services/open.ts';
import { openCompletions } from './areas/inference/open.ts';
import { type InstanceAccess, openInstanceAccess } from './areas/instances/open.ts';
import { openKubeGate } from './areas/kubectl/open.ts';
import { openMonitor } from './areas/monitoring/open.ts';
import { answersTo } from './commands.ts';
import { type Cluster, openCluster } from './core/kinds/open-cluster.ts';
import { openFigures } from './core/kinds/usage/open.ts';
import { findAnywhere } from './core/place-elsewhere.ts';
import { settingsOf } from './core/settings/settings-of.ts';
import { openAreas } from './open-areas.ts';
import { openAudit } from './platform/audit/open-audit.ts';
import type { Config } from './platform/config.ts';
import { type Database, openDatabase } from './platform/db/open.ts';
import { addressOf, type Trusts } from './platform/http/address-of.ts';
import { type AppParts, createApp } from './platform/http/app.ts';
import { Repeats } from './platform/http/idempotency.ts';
import { Metrics } from './platform/http/metrics.ts';
import { RateLimits } from './platform/http/rate-limits.ts';
import { type ConsoleParts, cardOrigins } from './platform/http/serve-console.ts';
import { SHORT_WAY_LIMITS, serveHttp, takeUpgrades } from './platform/http/serve-http.ts';
import { explain } from './platform/kube/refusals.ts';
import { openPrivateDoor } from './platform/private-door.ts';
import { openPrometheus } from './platform/prometheus/open-prometheus.ts';
import { layShortWay } from './platform/relay/short-way.ts';

export interface Gateway {
  /** Where the API is served. */
  url: string;
  /** Accepts nothing new, lets running calls finish, and closes what it opened. */
  stop(): Promise<void>;
}

/** Parts that tests have already opened; they are closed with the rest. */
interface Doubles {
  db?: Database;
  cluster?: Cluster;
  /** Where engines may be; absent: wherever Pods are. */
  isEngineAddress?: (ip: string) => boolean;
}

const SWEEP_MS = 3_600_000;

const STAFF_ACTIONS = new Set(
  Object.values(ROUTES)
    .filter(({ access }) => typeof access === 'object' && 'platform' in access)
    .map(({ id }) => id),
);

/** Resolves once it answers. What was opened is closed again in reverse, at a stop as after a start that fails. */
export async function startGateway(config: Config, log: Logger, doubles: Doubles = {}): Promise<Gateway> {
  const clock = systemClock;
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const db =
      doubles.db ?? (await openDatabase(config.databaseUrl ? { url: config.databaseUrl } : { folder: config.dataDir }));
    closing.push(() => db.close());
    const unfinished = await unfinishedRestore(db);
    if (unfinished)
      throw new BadConfig(
        `the restore of ${unfinished} has not ended, and the gateway would bill what is not there yet: run "restore --from=${unfinished}" again`,
      );
    const audit = openAudit({
      db,
      clock,
      log,
      isStaffAction: (action) => STAFF_ACTIONS.has(action),
      hasLines: config.auditLines,
    });
    closing.push(() => audit.stop());
    const cluster = doubles.cluster ?? clusterOf(config, log);
    // On PostgreSQL commands work by themselves.
    if (db.kind === 'pglite' && config.dataDir)
      closing.push(await openPrivateDoor(config.dataDir, answersTo(db, config, cluster.client)));
    const metrics = new Metrics();
    const areas = await openAreas(config, {
      db,
      log,
      clock,
      cluster,
      registry: metrics.registry,
      audit: (entry) => audit.write(entry),
    });
    closing.push(() => areas.stop());
    const origins = [new URL(config.publicUrl).origin, ...config.corsOrigins];
    const trusts: Trusts = express()
      .set('trust proxy', [...config.trustedProxies])
      .get('trust proxy fn');
    const access = openInstanceAccess({
      database: db,
      client: areas.cluster.client,
      registryUrl: config.registryUrl,
      findHere: (kind, namespace, name) => areas.cluster.kinds.findHere(kind, namespace, name),
      find: findAnywhere(areas.cluster, areas.clusterOf),
      audit: (entry) => audit.write(entry),
      keyed: config.keyed,
      origins,
      tenants: {
        domain: config.tenantDomain,
        hasPaths: config.tenantPaths,
        host: config.tenantHost,
        port: config.tenantPort,
      },
      region: config.region,
      addressOf: (req) => addressOf(req, trusts),
      keepMs: config.terminalKeep,
      visited: areas.idle.visited,
      clock,
      log,
    });
    closing.push(() => access.stop());
    const figures = openFigures({
      ...areas.cluster,
      places: areas.places,
      clusterOf: areas.clusterOf,
      clock,
      log,
    });
    closing.push(() => figures.stop());
    const limits = new RateLimits(config.requestsPerMinute);
    const prometheus = openPrometheus(config);
    const monitor = openMonitor({
      ...{
        db,
        cache: areas.cluster.cache,
        billed: areas.cluster.billed,
        kinds: areas.cluster.kinds,
        tariffs: areas.money.tariffs,
      },
      prometheus,
      metrics,
      clock,
    });
    const published = openPublished(config, {
      db,
      cluster: areas.cluster,
      visits: access.visits,
      authenticate: areas.authenticate,
      limits,
      latest: figures.latest,
      origins,
      addressOf: (req) => addressOf(req, trusts),
      prometheus,
      clock,
      log,
    });
    closing.push(() => published.stop());
    const completions = openCompletions(config, {
      ...{ db, clock, log, limits },
      cluster: areas.cluster,
      isAddress: doubles.isEngineAddress,
      authenticate: areas.authenticate,
      money: areas.money,
      collector: areas.collector,
      metrics,
      addressOf: (req) => addressOf(req, trusts),
    });
    closing.push(() => completions.stop());
    const repeats = new Repeats({ db, clock, key: config.keyed('idempotency') });
    closing.push(sweeping(repeats, log));
    closing.push(await serveMetrics(metrics, config, log));

    let isStopping = false;
    const appParts: AppParts = {
      log,
      answerLimitMs: config.answerLimitMs,
      staffSecondFactor: config.staffSecondFactor,
      settings: () => settingsOf(areas.operation.config(), areas.paymentChannels, areas.operation.closed()),
      closed: (feature) => areas.operation.state.closed(feature),
      origins,
      console: consoleOf(config),
      trustedProxies: config.trustedProxies,
      authenticate: areas.authenticate,
      explain,
      audit: (entry) => audit.write(entry),
      repeats,
      limits,
      metrics,
      isStopping: () => isStopping,
      missing: async () => [
        ...(areas.isReady() ? [] : ['the cluster']),
        ...(await db.ping().then(
          () => [],
          () => ['the database'],
        )),
      ],
    };
    const served = [
      ...areas.routes,
      ...access.served,
      ...published.served,
      ...completions.routes,
      ...figures.routes,
      ...monitor,
    ];
    const app = createApp(appParts, served);
    const onFault = (error: unknown) => log.warn({ err: error }, 'a handshake failed');
    const gate = await openKubeGate(config, {
      areas,
      limits,
      addressOf: (req) => addressOf(req, trusts),
      clock,
      log,
      onFault,
    });
    closing.push(() => gate.stop());
    const server = await serveHttp((req, res) => {
      if (!completions.answer(req, res)) app(req, res);
    }, config);
    if (config.adminDir !== '') {
      const console = { folder: builtIn(config.adminDir, '--admin-dir') };
      const admin = createApp({ ...appParts, origins: [new URL(config.adminUrl).origin], console }, served);
      closing.push(await serveAdmin(admin, config, log));
    }
    takeUpgrades(server.server, access.upgrade, onFault);
    access.start();
    figures.start();
    published.start();
    completions.start();
    areas.idle.start((facts, object) =>
      facts.api?.figures ? figures.usedNow(facts as Parameters<typeof figures.usedNow>[0], object) : [],
    );
    if (access.web || published.web)
      closing.push(await serveTenants([published.web, access.web], config, log, onFault));
    log.info({ url: server.url }, 'the gateway is up');
    return {
      url: server.url,
      async stop() {
        isStopping = true;
        // Where there are several, the others get what is new once this one is known not to be ready.
        await sleep(config.drainMs);
        const ended = server.stop();
        areas.endStreams();
        gate.endStreams();
        await access.stop();
        await ended;
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns how to stop it. */
function sweeping(repeats: Repeats, log: Logger): () => void {
  const sweep = () => repeats.sweep().catch((error) => log.warn({ err: error }, 'old keys of calls were not swept'));
  const timer = setInterval(() => void sweep(), SWEEP_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Services have hosts of their own; every other one is an instance's or nobody's. Returns how to stop it. */
async function serveTenants(
  [services, instances]: [OpenPublished['web'], InstanceAccess['web']],
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
