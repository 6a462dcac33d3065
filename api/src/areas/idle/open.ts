// Joins what is known of idleness, the watch over it, and the routes.
import type { Core } from '../../core/open.ts';
import { Turn } from '../../platform/db/turn.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { candidatesOf, IDLE_KINDS, type ReadsUse } from './candidates-of.ts';
import { idleRoutes } from './idle-routes.ts';
import { lastUses } from './idle-rows.ts';
import { IdleWatch } from './idle-watch.ts';
import { payersNotice } from './notices.ts';
import { putToRest } from './put-to-rest.ts';
import { Visits } from './visits.ts';

export interface OpenIdle {
  routes: readonly Served[];
  /** Somebody does something with what an instance serves. */
  visited(namespace: string, name: string): void;
  /** Starts once somebody measures what objects use. */
  start(usedNow: ReadsUse): void;
  stop(): Promise<void>;
}

export function openIdle(
  platform: Pick<Platform, 'db' | 'clock' | 'log' | 'audit'>,
  core: Pick<Core, 'cluster' | 'notify'> & { billing: Pick<Core['billing'], 'priceOf'> },
): OpenIdle {
  const { db, clock, log } = platform;
  const { cluster, notify } = core;
  const visits = new Visits({ db, clock, log });
  const turn = new Turn({ db, clock, log }, 'idle');
  const all = () => IDLE_KINDS.flatMap(({ kind }) => cluster.billed.list(kind));
  return {
    routes: idleRoutes({ db, clock }),
    visited: (namespace, name) => visits.note(namespace, name),
    start(usedNow) {
      visits.start();
      const watch = new IdleWatch({
        db,
        clock,
        log,
        exists: (uid) => all().some((one) => one.uid === uid),
        candidates: async () => candidatesOf(all(), core.billing.priceOf, await lastUses(db), usedNow),
        rest: (one) => putToRest(platform, core, one),
        tell: (tx, notice) => notify(tx, payersNotice(notice)),
      });
      turn.start((signal) => watch.run(signal));
    },
    async stop() {
      visits.stop();
      await turn.stop();
    },
  };
}
