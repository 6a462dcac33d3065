// /v1, joined: the models that answer, who may call them, the money, and what is written of their tokens.
import { randomUUID } from 'node:crypto';
import type { Micros } from '@gantry/contract/fields/money.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { chargeTokens } from '../../core/billing/tokens/token-charges.ts';
import { TokenHolds } from '../../core/billing/tokens/token-holds.ts';
import { type Scaled, ScalingWrites } from '../../core/kinds/scaling-writes.ts';
import type { Core } from '../../core/open.ts';
import { attemptsOf } from '../../platform/http/attempts-of.ts';
import { drainBody } from '../../platform/http/read-body.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { wayToPods } from '../../platform/pods/way-to-pods.ts';
import { POST_MS, TrafficStore } from '../../platform/relay/traffic-store.ts';
import { AliasRows } from './alias-rows.ts';
import { Routes } from './aliases.ts';
import { chatRoutes } from './chat-routes.ts';
import { Chats } from './chats.ts';
import { completionRoutes } from './completion-routes.ts';
import { Completions, type CompletionsParts } from './completions.ts';
import { KeyLimits } from './key-limits.ts';
import { isModelAsleep, modelFactsOf } from './model-facts.ts';
import { modelMetrics } from './model-metrics.ts';
import { readModelTraffic } from './model-traffic.ts';
import { costOf } from './money.ts';
import { readEndedRequest } from './read-ended-request.ts';
import { Models, type ModelsParts } from './serving.ts';
import { TokenMeter } from './token-meter.ts';
import { tokenMoney } from './token-money.ts';
import { type Pace, readPace, readSpent, readSums, readTotals } from './usage-reads.ts';

export interface OpenCompletions {
  answer: Completions['answer'];
  models: Models;
  /** What so many tokens cost now, whichever of its models answers; undefined where there is none. */
  costs(organizationId: string, model: string, tokens: { prompt: number; completion: number }): Micros | undefined;
  /** The answered requests of its last hour; undefined where there is no model of that name. */
  pace(organizationId: string, model: string): Promise<Pace | undefined>;
  routes: readonly Served[];
  start(): void;
  stop(): Promise<void>;
}

const TIDY_MS = 5_000;
const SWEEP_MS = 3_600_000;

/** `isAddress`: where engines may be; wherever Pods are where absent. */
export function openCompletions(
  platform: Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'limits' | 'metrics' | 'addressOf'>,
  core: Pick<Core, 'authenticate' | 'billing' | 'cluster'>,
  { collector, knowledge }: Pick<CompletionsParts, 'collector' | 'knowledge'> = {},
  isAddress?: ModelsParts['isAddress'],
): OpenCompletions {
  const { config, db, clock, log } = platform;
  const { billing: money, cluster } = core;
  const { cache, client } = cluster;
  const models = new Models({
    clock,
    isAddress,
    wayTo: wayToPods(config, client),
  });
  const writes = new ScalingWrites(modelDeployment, { cluster, clock, log });
  const traffic = new TrafficStore({ db, clock });
  const objectOf = ({ namespace, name }: { namespace: string; name: string }) =>
    cache.get<ModelDeployment>(modelDeployment, namespace, name);
  const show = (object: ModelDeployment) => {
    const facts = modelFactsOf(object);
    if (facts) models.show(facts);
  };
  const metered = () => [...models.all].map(({ facts, meter }) => ({ uid: facts.uid, meter }));
  const noted = () =>
    [...models.all].flatMap(({ facts, meter }) => {
      const object = objectOf(facts);
      return object ? [{ uid: facts.uid, object: object as unknown as Scaled, meter }] : [];
    });
  const aliases = new AliasRows({ db, clock });
  const holds = new TokenHolds({ db, clock, wallets: money.wallets, gateway: randomUUID() });
  const tokens = tokenMoney(config, money.tariffs, holds);
  const currencyOf = (organizationId: string) => money.tariffs.of(organizationId).currency;
  const limits = new KeyLimits({ readSpent: (tokenId, now) => readSpent(db, tokenId, now), currencyOf });
  const usage = new TokenMeter({
    db,
    clock,
    log,
    charge: (costs, also) => chargeTokens(money.wallets, costs, also),
    written: (rows) => limits.written(rows),
  });
  const named = new Routes(models, (organization) => aliases.of(organization));
  const measures = modelMetrics(platform.metrics, models);
  const completions = new Completions({
    models,
    routes: named,
    authenticate: core.authenticate,
    attempts: attemptsOf(platform.limits),
    addressOf: platform.addressOf,
    limits,
    money: tokens,
    usage,
    wake: async (facts) => {
      const object = objectOf(facts);
      if (object) await writes.wake(object as unknown as Scaled & ModelDeployment, isModelAsleep);
    },
    drain: drainBody,
    ...{ collector, knowledge },
    timed: measures.timed,
    disbelieved: measures.disbelieved,
    origins: config.modelOrigins,
    clock,
    log,
  });
  let unfollow = () => {};
  const timers: NodeJS.Timeout[] = [];
  const every = (ms: number, what: string, work: () => Promise<unknown>) => {
    const timer = setInterval(
      () => void work().catch((error: unknown) => log.warn({ err: error }, `${what}: it is tried again`)),
      ms,
    );
    timers.push(timer.unref());
  };
  return {
    answer: (req, res) => completions.answer(req, res),
    models,
    costs: (organizationId, model, counted) => {
      const route = named.find(organizationId, model);
      const priceOf = (priced: string) => tokens.priceOf(organizationId, priced, clock.now());
      return route && costOf({ ...counted, cached: 0 }, route.mostExpensive(priceOf)).net;
    },
    pace: async (organizationId, model) => {
      const uids = named.find(organizationId, model)?.models.map(({ facts }) => facts.uid);
      return uids && readPace(db, { organizationId, now: clock.now() }, uids);
    },
    routes: [
      ...chatRoutes({ chats: new Chats({ db, clock }), request: readEndedRequest(db, usage), currencyOf }),
      ...completionRoutes({
        traffic: readModelTraffic(platform, cache, traffic),
        aliases,
        totals: (range, most) => readTotals(db, range, most),
        sums: (range, by) => readSums(db, range, by),
        currencyOf,
        clock,
      }),
    ],
    start() {
      unfollow = cache.on(({ kind, namespace = '', name, after }) => {
        if (kind.kind !== modelDeployment.kind) return;
        const organization = organizationOf(namespace);
        if (after) show(after as ModelDeployment);
        else if (organization !== undefined) {
          models.drop(organization, name);
          measures.forget({ namespace, name });
        }
      });
      for (const object of cache.list<ModelDeployment>(modelDeployment)) show(object);
      every(POST_MS, 'traffic of models', async () => {
        await traffic.post(metered());
        await writes.note(noted());
      });
      usage.start();
      aliases.start((error) => log.warn({ err: error }, 'aliases of models were not read'));
      every(TIDY_MS, 'money kept for requests to models', () => holds.tidy());
      every(SWEEP_MS, 'sweep of old requests to models', () => usage.sweep());
    },
    async stop() {
      unfollow();
      for (const timer of timers) clearInterval(timer);
      aliases.stop();
      models.stop();
      await usage.stop();
      await traffic.leave(metered()).catch(() => {});
      await holds.stop();
    },
  };
}
