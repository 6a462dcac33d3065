// The platform of a running gateway: what its core and its areas stand on.
import { ROUTES } from '@gantry/contract/http/routes.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import express from 'express';
import type { Logger } from 'pino';
import type { AuditEntry } from './audit/entry.ts';
import { openAudit } from './audit/open-audit.ts';
import type { Closing } from './closing.ts';
import type { Config } from './config.ts';
import type { Database } from './db/open.ts';
import { addressOf, type Trusts } from './http/address-of.ts';
import { Metrics } from './http/metrics.ts';
import { RateLimits } from './http/rate-limits.ts';
import { openPrometheus } from './prometheus/open-prometheus.ts';
import type { Prometheus } from './prometheus/prometheus.ts';

export interface Platform {
  config: Config;
  db: Database;
  clock: Clock;
  log: Logger;
  /** Resolves once the entry is committed. */
  audit(entry: AuditEntry): Promise<void>;
  metrics: Metrics;
  limits: RateLimits;
  /** Undefined where the installation has none. */
  prometheus: Prometheus | undefined;
  /** The address at which browsers find the console. */
  publicUrl: string;
  /** The origins of pages that may call; the first is the console's. */
  origins: readonly string[];
  /** The sender's, behind the proxies that are believed. */
  addressOf(req: Parameters<typeof addressOf>[0]): string;
  /** The opened parts: whoever opens something adds how it is closed. */
  closing: Closing;
}

const STAFF_ACTIONS = new Set(
  Object.values(ROUTES)
    .filter(({ access }) => typeof access === 'object' && 'platform' in access)
    .map(({ id }) => id),
);

/** Throws BadConfig. */
export function openPlatform(config: Config, given: Pick<Platform, 'db' | 'clock' | 'log' | 'closing'>): Platform {
  const { db, clock, log, closing } = given;
  const isStaffAction = (action: string) => STAFF_ACTIONS.has(action);
  const audit = openAudit({ db, clock, log, isStaffAction, hasLines: config.auditLines });
  closing.add(() => audit.stop());
  const trusts: Trusts = express()
    .set('trust proxy', [...config.trustedProxies])
    .get('trust proxy fn');
  return {
    ...given,
    config,
    audit: (entry) => audit.write(entry),
    metrics: new Metrics(),
    limits: new RateLimits(config.requestsPerMinute),
    prometheus: openPrometheus(config),
    publicUrl: config.publicUrl,
    origins: [new URL(config.publicUrl).origin, ...config.corsOrigins],
    addressOf: (req) => addressOf(req, trusts),
  };
}
