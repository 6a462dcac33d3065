// Puts the gateway together and starts it: the one place where its parts meet.
import { systemClock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/open.ts';
import { Metrics } from './http/metrics.ts';
import { RateLimits } from './http/rate-limits.ts';
import { openAreas } from './open-areas.ts';
import { Repeats } from './repeats/repeats.ts';
import { serveHttp } from './serve-http.ts';
import { version } from './version.ts';

export interface Gateway {
  /** Where the API is served. */
  url: string;
  /** Takes nothing new, lets what is under way finish, and closes what it opened. */
  stop(): Promise<void>;
}

const SWEEP_MS = 3_600_000;

/** Resolves once it answers. What was opened is closed again in reverse, at a stop as after a start that fails. */
export async function startGateway(config: Config, log: Logger): Promise<Gateway> {
  const clock = systemClock;
  const closing: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const db = await openDatabase(config.databaseUrl ? { url: config.databaseUrl } : { folder: config.dataDir });
    closing.push(() => db.close());
    const areas = await openAreas(config, db, log, clock);
    closing.push(() => areas.stop());
    const repeats = new Repeats({ db, clock });
    closing.push(sweeping(repeats, log));
    const metrics = new Metrics();
    closing.push(await serveMetrics(metrics, config, log));

    let isStopping = false;
    const app = createApp(
      {
        log,
        answerLimitMs: config.answerLimitMs,
        settings: settingsOf(config),
        origins: [new URL(config.publicUrl).origin, ...config.corsOrigins],
        trustedProxies: config.trustedProxies,
        authenticate: areas.authenticate,
        audit: () => Promise.resolve(),
        repeats,
        limits: new RateLimits(config.requestsPerMinute),
        metrics,
        isStopping: () => isStopping,
        missing: async () => [
          ...(isStopping ? ['nothing: it stops'] : []),
          ...(areas.isReady() ? [] : ['the cluster']),
          ...(await db.ping().then(
            () => [],
            () => ['the database'],
          )),
        ],
      },
      areas.routes,
    );
    const server = await serveHttp(app, config);
    log.info({ url: server.url }, 'the gateway is up');
    return {
      url: server.url,
      async stop() {
        isStopping = true;
        const ended = server.stop();
        areas.endStreams();
        await ended;
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Gives the way to stop it. */
function sweeping(repeats: Repeats, log: Logger): () => void {
  const sweep = () => repeats.sweep().catch((error) => log.warn({ err: error }, 'old keys of calls were not swept'));
  const timer = setInterval(() => void sweep(), SWEEP_MS);
  timer.unref();
  return () => clearInterval(timer);
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

const settingsOf = (config: Config) => ({
  market: config.market,
  region: config.region,
  region_label: config.regionLabel,
  billing_unit: config.billingUnit,
  register_type: config.registerType,
  login_types: [...(config.oidcIssuer ? ['oidc' as const] : []), 'password' as const],
  login_providers: config.oidcIssuer ? [{ id: 'oidc', name: config.oidcName }] : [],
  payment_channels: config.paymentChannels,
  console_variant: config.consoleVariant,
  contact: config.contact,
  docs: config.docs,
  support: config.support,
  community: config.community,
  terms_version: config.termsVersion,
  version,
});
