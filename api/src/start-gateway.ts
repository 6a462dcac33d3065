// Puts the gateway together and starts it: the one place where its parts meet.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@gantry/kube/clock.ts';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/open.ts';
import { openAreas } from './open-areas.ts';
import { version } from './version.ts';

export interface Gateway {
  /** Where the API is served. */
  url: string;
  /** Takes nothing new, lets what is under way finish, and closes what it opened. */
  stop(): Promise<void>;
}

/** Resolves once it answers. */
export async function startGateway(config: Config, log: Logger): Promise<Gateway> {
  const db = await openDatabase(config.databaseUrl ? { url: config.databaseUrl } : { folder: config.dataDir });
  const areas = await openAreas(config, db, log, systemClock);
  const app = createApp(
    {
      log,
      answerLimitMs: config.answerLimitMs,
      settings: settingsOf(config),
      origins: [new URL(config.publicUrl).origin, ...config.corsOrigins],
      trustedProxies: config.trustedProxies,
      authenticate: areas.authenticate,
      audit: () => Promise.resolve(),
    },
    areas.routes,
  );
  const server = createServer(app);
  const url = await listen(server, config.host, config.port);
  log.info({ url }, 'the gateway is up');
  return {
    url,
    async stop() {
      await new Promise((resolve) => {
        server.close(resolve);
        areas.endStreams();
        server.closeIdleConnections();
      });
      await areas.stop();
      await db.close();
    },
  };
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

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(`http://${host}:${(server.address() as AddressInfo).port}`));
  });
}
