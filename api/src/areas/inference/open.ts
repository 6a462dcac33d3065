// /v1, joined: the models that answer, who may call them, the money, and what is written of their tokens.
import { randomUUID } from 'node:crypto';
import { problem } from '@gantry/contract/http/problem.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { chargeTokens, tokenPrices } from '../../core/billing/tokens/token-charges.ts';
import { TokenPurse } from '../../core/billing/tokens/token-purse.ts';
import { type Scaled, ScalingWrites } from '../../core/kinds/scaling-writes.ts';
import type { Core } from '../../core/open.ts';
import { attemptsOf } from '../../platform/http/attempts-of.ts';
import { drainBody } from '../../platform/http/read-body.ts';
import type { Served } from '../../platform/http/serve.ts';
import type { Platform } from '../../platform/open.ts';
import { podAgent } from '../../platform/pods/pod-stream.ts';
import { POST_MS, TrafficStore } from '../../platform/relay/traffic-store.ts';
import { AliasRows } from './alias-rows.ts';
import { Routes } from './aliases.ts';
import { type ChatRouteParts, chatRoutes } from './chat-routes.ts';
import { Chats } from './chats.ts';
import { completionRoutes } from './completion-routes.ts';
import { Completions, type CompletionsParts } from './completions.ts';
import { KeyLimits } from './key-limits.ts';
import { isModelAsleep, modelFactsOf } from './model-facts.ts';
import { modelMetrics } from './model-metrics.ts';
import { NOTHING_HELD, type TokenMoney } from './money.ts';
import { Refusal } from './refusals.ts';
import { Models, type ModelsParts } from './serving.ts';
import { TokenMeter } from './token-meter.ts';
import { readRequest, readSpeed, readSpent, readSums, readTotals } from './usage-reads.ts';

export interface OpenCompletions {
  answer: Completions['answer'];
  models: Models;
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
  collector?: CompletionsParts['collector'],
  isAddress?: ModelsParts['isAddress'],
): OpenCompletions {
  const { config, db, clock, log } = platform;
  const { billing: money, cluster } = core;
  const { cache, client } = cluster;
  const models = new Models({
    clock,
    isAddress,
    ...(config.serviceNetwork === 'proxy' && { wayTo: (at, port) => podAgent(client, at, port) }),
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
  const purse = new TokenPurse({ db, clock, wallets: money.wallets, gateway: randomUUID() });
  const tokens: TokenMoney = {
    priceOf: (organizationId, priced, now) =>
      config.billing === 'on' ? tokenPrices(money.tariffs.of(organizationId), priced, now) : undefined,
    async hold({ organization, account }, amount) {
      if (amount <= 0n) return NOTHING_HELD;
      const answer = await purse.keep({ organizationId: organization.id, accountId: account.id }, amount);
      if ('kept' in answer) return answer.kept;
      const { wanted, available, currency } = answer;
      throw new Refusal('credit_needed', { detail: `${wanted} ${currency}, and ${available} are free` });
    },
  };
  const currencyOf = (organizationId: string) => money.tariffs.of(organizationId).currency;
  const limits = new KeyLimits({ readSpent: (tokenId, now) => readSpent(db, tokenId, now), currencyOf });
  const usage = new TokenMeter({
    db,
    clock,
    log,
    charge: (costs, also) => chargeTokens(money.wallets, costs, also),
    written: (rows) => limits.written(rows),
  });
  const measures = modelMetrics(platform.metrics, models);
  const completions = new Completions({
    models,
    routes: new Routes(models, (organization) => aliases.of(organization)),
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
    collector,
    timed: measures.timed,
    disbelieved: measures.disbelieved,
    origins: config.modelOrigins,
    clock,
    log,
  });
  // Whoever reads an answer to its end asks at once: the rows of ended requests may still wait here.
  const request: ChatRouteParts['request'] = async (who, id) => {
    await usage.whenWritten(id).catch(() => undefined);
    return readRequest(db, who, id);
  };
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
    routes: [
      ...chatRoutes({ chats: new Chats({ db, clock }), request, currencyOf }),
      ...completionRoutes({
        traffic: async ({ organization }, id) => {
          const uid = objectOf({ namespace: organization.namespace, name: id })?.metadata.uid;
          if (uid === undefined) throw problem('not_found', { what: id });
          const of = { organizationId: organization.id, modelUid: uid, now: clock.now() };
          const [counted, tokens] = await Promise.all([traffic.traffic(uid), readSpeed(db, of)]);
          return { ...counted, tokens };
        },
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
      every(TIDY_MS, 'money kept for requests to models', () => purse.tidy());
      every(SWEEP_MS, 'sweep of old requests to models', () => usage.sweep());
    },
    async stop() {
      unfollow();
      for (const timer of timers) clearInterval(timer);
      aliases.stop();
      models.stop();
      await usage.stop();
      await traffic.leave(metered()).catch(() => {});
      await purse.stop();
    },
  };
}
