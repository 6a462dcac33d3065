// /v1: what OpenAI's clients call. Who asks, which model, may they, may it cost that much; then the way to a worker and back, and
// every token is counted, however it ends.
import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { ZERO } from '@gantry/contract/fields/money.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { Gathered } from '../../platform/gathered.ts';
import { type Caller, hasRight } from '../../platform/http/caller.ts';
import { OWN_HEADERS } from '../../platform/http/own-headers.ts';
import { JsonSize } from '../../platform/json-size.ts';
import type { Route, Routes } from './aliases.ts';
import { Answering } from './answering.ts';
import {
  type Asked,
  demandAdapter,
  demandFields,
  demandTask,
  type Endpoint,
  engineBody,
  isEndpoint,
  nameOf,
  readAsked,
} from './asked.ts';
import {
  averaged,
  type Bounds,
  type Counted,
  completionAfter,
  countTokens,
  estimatedPrompt,
  largest,
  learned,
  mostCompletion,
  mostOfChoice,
  mostPrompt,
  type ReadAnswer,
  type Tokens,
  usualOf,
} from './count-tokens.ts';
import { answerOrigin } from './cross-origin.ts';
import { demandEngine } from './demands.ts';
import { EngineCall } from './engine-call.ts';
import { isCollected, KeptAnswer, recordOf } from './kept-answer.ts';
import type { KeyLimits, Taken } from './key-limits.ts';
import { datasetIn, type KnowledgeBases, readQuestion, searchKnowledge } from './knowledge-search.ts';
import type { Held, TokenMoney } from './money.ts';
import { costOf } from './money.ts';
import { Refusal, writeJson } from './refusals.ts';
import type { Model, Models } from './serving.ts';
import type { Outcome, TokenMeter } from './token-meter.ts';

const MOST_BODY_BYTES = 10_000_000;
/** Tokens, texts, messages and whatever else: OpenAI's takes as many tokens in one request. */
const MOST_VALUES = 300_000;
/** The most members of objects. */
const MOST_MEMBERS = 30_000;
const MOST_DEPTH = 64;
/** Bodies that are held at once, in one gateway. */
const MOST_BODIES_BYTES = 512 * 1024 * 1024;
const BODY_WITHIN_MS = 60_000;
/** Under way at once to one model, in one gateway. */
const MOST_OF_MODEL = 2_000;
/** In knowledge bases, under way at once for one organisation, in one gateway: its data server does two at a time. */
const MOST_SEARCHES = 8;
const FIRST_BYTE_MS = 590_000;
/** A wake that nothing came of is written again. */
const WAKE_AGAIN_MS = 10_000;
/** A key that has ended takes what it asked with it, so much later at most, and what `authenticate` remembers. */
const KEY_AGAIN_MS = 1_000;
const DISBELIEVED_AGAIN_MS = 60_000;
const BEARER = /^bearer\s+(\S+)\s*$/i;

export interface CompletionsParts {
  models: Models;
  routes: Routes;
  authenticate: (token: string) => Promise<Caller | undefined>;
  /** How many unknown tokens an address may try. */
  attempts: {
    mayTry(token: string, ip: string): Promise<boolean>;
    known(token: string): void;
    inVain(ip: string): Promise<void>;
  };
  addressOf: (req: Pick<IncomingMessage, 'socket' | 'headers'>) => string;
  limits: KeyLimits;
  money: TokenMoney;
  usage: Pick<TokenMeter, 'add' | 'isFull'>;
  /** Writes that it should have one worker. Resolves once that is so, or somebody else has seen to it. */
  wake: (model: Model['facts']) => Promise<void>;
  /** Reads what a refused client still sends, so that it gets to read the refusal. */
  drain: (req: IncomingMessage) => Promise<void>;
  /** Hears how long each request took that was answered in full. */
  timed?: ((model: Model['facts'], ms: number) => void) | undefined;
  /** Hears of each request whose engine's count is not believed. */
  disbelieved?: (() => void) | undefined;
  /** Takes sampled requests and their answers; nobody waits for it. Absent: nothing is collected. */
  collector?: Collects | undefined;
  /** Absent: there are none here. */
  knowledge?: KnowledgeBases | undefined;
  clock: Clock;
  log: { warn(facts: object, message: string): void };
  firstByteMs?: number;
  /** The origins besides our own whose pages may call; `*` is any. */
  origins?: readonly string[];
}

export interface Collects {
  /** Whether the next request is among so many of a hundred. */
  draws(percent: number): boolean;
  /** Asks for the record later; undefined: it is too long. */
  offer(of: { organizationId: string; deployment: string; dataset: string }, record: () => object | undefined): void;
}

/** A request whose sender is known. */
interface Call {
  req: IncomingMessage;
  res: ServerResponse;
  caller: Caller;
  token: string;
  requestId: string;
  startedAt: number;
}

/** Resources that a request has taken and keeps until its end. */
interface Kept {
  taken: Taken;
  held: Held;
  adapter: string | undefined;
  alias: string | undefined;
}

const NOTHING_COUNTED: Counted = { tokens: { prompt: 0, cached: 0, completion: 0 }, doubt: undefined };

const askedBy = ({ kind, id, task }: Caller['session']) => ({
  tokenId: kind === 'apiToken' ? id : null,
  task: task ?? null,
});

const msAfter = (began: number, at: number | undefined): number | null =>
  at === undefined ? null : Math.round(at - began);

export class Completions {
  readonly #parts: CompletionsParts;
  #bodyBytes = 0;
  /** Searches in knowledge bases that are under way, by organisation. */
  readonly #searches = new Map<string, number>();
  /** To our own listener: no proxy stands between. */
  readonly #self = new Agent({ keepAlive: true });

  constructor(parts: CompletionsParts) {
    this.#parts = parts;
  }

  /** False where the path is not below /v1 or /v2. */
  answer(req: IncomingMessage, res: ServerResponse): boolean {
    const { url = '' } = req;
    if (!url.startsWith('/v1/') && !url.startsWith('/v2/')) return false;
    void this.#answer(req, res, url.split('?', 1)[0] ?? '');
    return true;
  }

  async #answer(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
    const requestId = `req-${randomUUID()}`;
    for (const [name, value] of Object.entries(OWN_HEADERS)) res.setHeader(name, value);
    res.setHeader('x-request-id', requestId);
    // Without a listener, a connection that breaks would end the process.
    req.on('error', () => {});
    res.on('error', () => {});
    if (answerOrigin(req, res, this.#parts.origins ?? [])) return;
    try {
      await this.#serve({ req, res, path, requestId });
    } catch (error) {
      if (!(error instanceof Refusal)) this.#parts.log.warn({ err: error, requestId }, 'a request to /v1 failed');
      await this.#refuse(req, res, error instanceof Refusal ? error : new Refusal('internal'));
    }
  }

  async #refuse(req: IncomingMessage, res: ServerResponse, refusal: Refusal): Promise<void> {
    if (res.headersSent || res.destroyed) return void res.destroy();
    if (!req.complete) {
      await this.#parts.drain(req);
      res.shouldKeepAlive = false;
    }
    writeJson(res, refusal.status, refusal.body, refusal.headers);
  }

  async #serve({
    req,
    res,
    path,
    requestId,
  }: {
    req: IncomingMessage;
    res: ServerResponse;
    path: string;
    requestId: string;
  }) {
    const startedAt = this.#parts.clock.monotonic();
    const { caller, token } = await this.#callerOf(req);
    if (!hasRight(caller, 'use')) throw new Refusal('not_permitted');
    const call = { req, res, caller, token, requestId, startedAt };
    if (path === '/v1/models' || path.startsWith('/v1/models/')) {
      if (req.method !== 'GET') throw new Refusal('method_not_allowed', { path, method: 'GET' });
      return void this.#models(call, path.slice('/v1/models/'.length));
    }
    const dataset = this.#parts.knowledge && datasetIn(path);
    if (dataset !== undefined) {
      if (req.method !== 'POST') throw new Refusal('method_not_allowed', { path, method: 'POST' });
      if (!hasRight(caller, 'view')) throw new Refusal('knowledge_not_permitted');
      return this.#searchKnowledge(call, dataset);
    }
    if (!isEndpoint(path)) throw new Refusal('unknown_url', { path: path.slice(0, 100) });
    if (req.method !== 'POST') throw new Refusal('method_not_allowed', { path, method: 'POST' });
    await this.#complete(call, path);
  }

  async #callerOf(req: IncomingMessage): Promise<{ caller: Caller; token: string }> {
    const { attempts, authenticate, addressOf } = this.#parts;
    const given = req.headers['x-token'];
    const token = BEARER.exec(req.headers.authorization ?? '')?.[1] ?? (given === '' ? undefined : given?.toString());
    if (token === undefined) throw new Refusal('invalid_api_key');
    const ip = addressOf(req);
    if (!(await attempts.mayTry(token, ip))) throw new Refusal('too_many_attempts');
    const caller = await authenticate(token);
    if (!caller) {
      await attempts.inVain(ip);
      throw new Refusal('invalid_api_key');
    }
    attempts.known(token);
    return { caller, token };
  }

  #models({ res, caller }: Call, wanted: string): void {
    const { routes } = this.#parts;
    const names = routes.namesOf(caller.organization.id).filter(({ id }) => mayName(caller, id));
    const views = names.map(({ id, label, createdAt }) => ({
      id,
      name: label,
      object: 'model',
      created: Math.floor(createdAt / 1000),
      owned_by: caller.organization.id,
    }));
    if (wanted === '') return void writeJson(res, 200, JSON.stringify({ object: 'list', data: views }));
    const name = decoded(wanted);
    const address = routes.addressOf(caller.organization.id, name);
    const view = views.find(({ id }) => id === address);
    if (!view) throw notFound(name);
    writeJson(res, 200, JSON.stringify(view));
  }

  async #searchKnowledge({ req, res, caller, token }: Call, dataset: string): Promise<void> {
    const { knowledge, limits, clock } = this.#parts;
    if (!knowledge) return;
    const { id } = caller.organization;
    const underWay = this.#searches.get(id) ?? 0;
    if (underWay >= MOST_SEARCHES) throw new Refusal('knowledge_overloaded', { most: `${MOST_SEARCHES}` });
    this.#searches.set(id, underWay + 1);
    const left = new AbortController();
    const leave = () => left.abort();
    res.once('close', leave);
    let held = 0;
    try {
      const { text, size } = await this.#bodyOf(req);
      held = size;
      const { status, body, headers } = await searchKnowledge(knowledge, dataset, readQuestion(text), {
        ...{ caller, token, socket: req.socket, agent: this.#self, signal: left.signal },
        admit: async (model) => {
          if (!mayName(caller, this.#parts.routes.addressOf(id, model) ?? model)) throw notFound(model);
          const now = clock.now();
          const nothing = { now, tokens: 0, money: ZERO };
          limits.used(caller, await limits.take(caller, { ...nothing, usual: 0 }), nothing);
          for (const [name, value] of Object.entries(limits.headers(caller, now))) res.setHeader(name, value);
        },
      });
      for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
      writeJson(res, status, body);
    } catch (error) {
      if (!left.signal.aborted) throw error;
    } finally {
      res.off('close', leave);
      this.#bodyBytes -= held;
      const now = (this.#searches.get(id) ?? 1) - 1;
      if (now > 0) this.#searches.set(id, now);
      else this.#searches.delete(id);
    }
  }

  async #complete(call: Call, endpoint: Endpoint): Promise<void> {
    const { req, res, caller } = call;
    if (this.#parts.usage.isFull) throw new Refusal('usage_unwritten');
    const { text, size } = await this.#bodyOf(req);
    try {
      const asked = readAsked(endpoint, text);
      const route = this.#routeOf(caller, asked);
      for (const { facts } of route.models) {
        demandTask(asked, facts.task);
        demandFields(asked, facts);
        demandEngine(asked, facts.engine);
        demandAdapter(asked, { ...facts, adapter: route.adapter });
      }
      const bounds = boundsOf(asked, route);
      const now = this.#parts.clock.now();
      const price = route.mostExpensive((priced) => this.#parts.money.priceOf(caller.organization.id, priced, now));
      const prompt = Math.min(estimatedPrompt(asked.prompt), mostPrompt(bounds));
      const likely = { prompt, cached: 0, completion: completionAfter(bounds, prompt) };
      const money = costOf(likely, price).net;
      const most = largest(bounds).map((tokens) => costOf(tokens, price).net);
      const usual = Math.max(...route.models.map(({ tokensOfAnAnswer }) => prompt + usualOf(bounds, tokensOfAnAnswer)));
      const { limits } = this.#parts;
      const told = () => {
        for (const [name, value] of Object.entries(limits.headers(caller, now))) res.setHeader(name, value);
      };
      const taken = await limits
        .take(caller, { now, tokens: likely.prompt + likely.completion, money, usual })
        .finally(told);
      let held: Held | undefined;
      try {
        held = await this.#parts.money.hold(
          caller,
          most.reduce((one, other) => (other > one ? other : one)),
        );
        if (res.destroyed) throw new Refusal('internal');
      } catch (error) {
        taken.giveBack();
        held?.release();
        throw error;
      }
      this.#send(call, asked, route, { taken, held });
    } finally {
      this.#bodyBytes -= size;
    }
  }

  /** Its bytes count as held from the first on. */
  async #bodyOf(req: IncomingMessage): Promise<{ text: string; size: number }> {
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced > MOST_BODY_BYTES) throw new Refusal('request_too_large', { most: `${MOST_BODY_BYTES}` });
    const media = req.headers['content-type'] ?? 'application/json';
    if (!/^application\/([\w.+-]+\+)?json\b/i.test(media)) throw new Refusal('wrong_media_type');
    const { clock } = this.#parts;
    return new Promise((resolve, reject) => {
      const body = new Gathered();
      const counted = new JsonSize();
      let size = 0;
      const over = (settle: () => void) => {
        cancel();
        req.pause().off('data', more).off('end', whole).off('close', broken);
        settle();
      };
      const refuse = (refusal: Refusal) =>
        over(() => {
          this.#bodyBytes -= size;
          reject(refusal);
        });
      const more = (piece: Buffer) => {
        size += piece.length;
        this.#bodyBytes += piece.length;
        if (size > MOST_BODY_BYTES) return refuse(new Refusal('request_too_large', { most: `${MOST_BODY_BYTES}` }));
        if (this.#bodyBytes > MOST_BODIES_BYTES) return refuse(new Refusal('model_overloaded', { model: '…' }));
        const tooMuch = tooMuchOf(counted.add(piece));
        if (tooMuch) return refuse(tooMuch);
        body.add(piece);
      };
      const whole = () => over(() => resolve({ text: body.bytes.toString('utf8'), size }));
      const broken = () => refuse(new Refusal('invalid_json', { detail: 'it ended early' }));
      const cancel = clock.after(BODY_WITHIN_MS, () => refuse(new Refusal('request_too_slow')));
      req.on('data', more).once('end', whole).once('close', broken);
    });
  }

  /** Another organisation's model, one that a key may not use and one that is not there get the same answer. */
  #routeOf(caller: Caller, { model }: Asked): Route {
    const route = this.#parts.routes.find(caller.organization.id, model);
    if (!route || !mayName(caller, route.address)) throw notFound(model);
    return route;
  }

  #send(call: Call, asked: Asked, route: Route, kept: { taken: Taken; held: Held }): void {
    this.#sendTo(call, asked, route.order(Math.random()), { ...kept, adapter: route.adapter, alias: route.alias });
  }

  /** To the first model; to the next one if nobody there has answered anything. */
  #sendTo(call: Call, asked: Asked, [model, ...others]: readonly Model[], kept: Kept): void {
    const { res, caller, requestId, startedAt } = call;
    const { clock, usage, money, limits, firstByteMs = FIRST_BYTE_MS } = this.#parts;
    if (!model) throw new Error('a route has no model');
    const { facts } = model;
    const bounds: Bounds = { ...asked, contextTokens: facts.contextTokens };
    const percent = isCollected(asked.endpoint) ? (facts.reflow?.percent ?? 0) : 0;
    const sample = percent > 0 && this.#parts.collector?.draws(percent) ? new KeptAnswer() : undefined;
    const over = (outcome: Outcome, status: number, worker: string | undefined) => {
      unwatch();
      begins();
      model.underWay--;
      model.meter.end(clock.now());
      const { isWhole, bytes, total, choices } = answering.reading;
      if (outcome === 'answered' && isWhole) this.#offer(sample, asked, facts, requestId);
      const isNothing = outcome === 'refused' || outcome === 'failed';
      const { tokens, doubt } = isNothing ? NOTHING_COUNTED : counted();
      if (!isNothing) this.#learn(model, asked, { tokens, doubt }, answering.reading);
      if (doubt === 'implausible') this.#disbelieve(model, requestId, saidBy(total, choices));
      const price = money.priceOf(caller.organization.id, facts.priced, clock.now());
      const cost = costOf(tokens, price);
      const now = clock.now();
      model.meter.record({
        ...{ at: now, method: 'POST', url: asked.endpoint, status, ms: clock.monotonic() - startedAt },
        ...{ bytes, bytesIn: asked.prompt.bytes, replica: worker ?? null, isCheck: false },
        ...(kept.alias !== undefined && { via: kept.alias }),
      });
      // Refusals are quick, and would hide how slow answers are.
      if (outcome === 'answered') this.#parts.timed?.(facts, clock.monotonic() - startedAt);
      limits.used(caller, kept.taken, { now, tokens: tokens.prompt + tokens.completion, money: cost.net });
      usage.add(
        {
          id: requestId,
          at: new Date(now),
          organizationId: caller.organization.id,
          accountId: caller.account.id,
          ...askedBy(caller.session),
          modelUid: facts.uid,
          model: facts.name,
          endpoint: nameOf(asked.endpoint),
          ...tokens,
          reported: doubt === 'implausible' ? saidBy(total, choices) : null,
          doubt: doubt ?? null,
          outcome,
          status,
          worker: worker ?? null,
          ms: Math.round(clock.monotonic() - startedAt),
          firstMs: msAfter(startedAt, answering.firstAt),
          list: cost.list,
          net: cost.net,
        },
        kept.held,
      );
    };
    const elsewhere = () => {
      if (others.length === 0) return false;
      unwatch();
      begins();
      model.underWay--;
      model.meter.end(clock.now());
      this.#sendTo(call, asked, others, kept);
      return true;
    };
    let isSilent = true;
    model.silent++;
    const begins = () => {
      if (isSilent) model.silent--;
      isSilent = false;
    };
    const counted = () => countTokens(answering.reading, bounds, model.tokensOfAnEstimate);
    const answering: Answering = new Answering({
      asked,
      engine: facts.engine,
      namespace: facts.namespace,
      requestId,
      res,
      clock,
      most: mostCompletion(bounds),
      mostOfChoice: mostOfChoice(bounds),
      counted: () => counted().tokens,
      kept: sample,
      begins,
      over,
      elsewhere,
    });
    const unwatch = this.#watchKey(call, answering);
    model.underWay++;
    model.meter.begin(clock.now());
    if (model.underWay > MOST_OF_MODEL) {
      answering.turnAway(new Refusal('model_overloaded', { model: asked.model }));
      return;
    }
    const ask = () => {
      const stand = model.facts.stand;
      if (stand !== 'serves') return void answering.turnAway(standRefusal(stand, asked.model));
      // Another engine may serve it by now.
      const refusal = fieldsRefusal(asked, model.facts);
      if (refusal) return void answering.refuse(refusal);
      const engine = new EngineCall(
        {
          model,
          beginning: asked.beginning,
          path: asked.sent.endpoint,
          requestId,
          bodyFor: (pod) => bodyFor(asked, model, kept.adapter, pod),
          isStreamed: asked.isStreamed,
          clock,
          firstByteMs,
        },
        answering,
      );
      answering.follow(engine);
    };
    if (facts.stand === 'waits' && others.length === 0) this.#hold(model, asked, answering, ask);
    else ask();
  }

  /** Learns the likely size of requests to the model. */
  #learn(model: Model, { prompt, choices }: Asked, { tokens, doubt }: Counted, { isWhole }: ReadAnswer): void {
    if (!isWhole) return;
    model.tokensOfAnAnswer = averaged(model.tokensOfAnAnswer, tokens.completion / choices);
    if (doubt === undefined) model.tokensOfAnEstimate = learned(model.tokensOfAnEstimate, tokens.prompt, prompt);
  }

  /** Each is counted; the log hears of a deployment once in a while. */
  #disbelieve(model: Model, requestId: string, said: object | null): void {
    const { clock, disbelieved, log } = this.#parts;
    disbelieved?.();
    if (model.disbelievedAt + DISBELIEVED_AGAIN_MS > clock.monotonic()) return;
    model.disbelievedAt = clock.monotonic();
    const { namespace, name, engine } = model.facts;
    log.warn({ namespace, model: name, engine, requestId, said }, 'an engine’s count of tokens is not believed');
  }

  /** Offers the request and its answer, if its deployment collects and this request was drawn. */
  #offer(sample: KeptAnswer | undefined, asked: Asked, facts: Model['facts'], id: string): void {
    if (!sample) return;
    const { clock, collector } = this.#parts;
    const { organization: organizationId, name: deployment, reflow } = facts;
    const about = { id, time: new Date(clock.now()).toISOString(), deployment, model: facts.priced };
    const of = { organizationId, deployment, dataset: reflow?.dataset ?? deployment };
    collector?.offer(of, () => recordOf(asked, sample, about));
  }

  /** Sessions are not looked at: the console replaces its own while a page listens. Returns how to end it. */
  #watchKey({ caller: { session }, token }: Call, answering: Answering): () => void {
    if (session.kind !== 'apiToken') return () => {};
    const { clock, authenticate } = this.#parts;
    let isOver = false;
    const look = async () => {
      try {
        const caller = await authenticate(token);
        if (isOver) return;
        if (!caller) return answering.cutOff(new Refusal('invalid_api_key'));
        if (!hasRight(caller, 'use')) return answering.cutOff(new Refusal('not_permitted'));
      } catch {
        // Nobody can say: what has begun goes on.
      }
      if (!isOver) stop = clock.after(KEY_AGAIN_MS, () => void look());
    };
    let stop = clock.after(KEY_AGAIN_MS, () => void look());
    return () => {
      isOver = true;
      stop();
    };
  }

  #hold(model: Model, asked: Asked, answering: Answering, go: () => void): void {
    const { clock, wake, log } = this.#parts;
    const over = () => {
      model.meter.waiting--;
    };
    const waiter = {
      go: () => {
        over();
        go();
      },
      bytes: asked.prompt.bytes,
      refuse: (why: 'too_many_waiting' | 'start_too_slow') => {
        if (why === 'start_too_slow') over();
        answering.refuse(
          new Refusal(why === 'too_many_waiting' ? 'model_overloaded' : 'model_not_ready', { model: asked.model }),
        );
      },
    };
    const leave = () => {
      if (model.waiting.remove(waiter)) over();
    };
    if (!model.waiting.add(waiter, model.facts.wake)) return;
    model.meter.waiting++;
    answering.wait(leave);
    if (!model.facts.isAsleep || model.wokenAt + WAKE_AGAIN_MS > clock.monotonic()) return;
    model.wokenAt = clock.monotonic();
    model.meter.wake(clock.now());
    wake(model.facts).catch((error: unknown) => {
      model.wokenAt = Number.NEGATIVE_INFINITY;
      log.warn({ err: error, model: model.facts.name }, 'a model was not woken');
    });
  }
}

/** The refusal of a body with more than can be read, checked and written again one by one. */
function tooMuchOf({ values, members, deepest }: JsonSize): Refusal | undefined {
  if (deepest > MOST_DEPTH) return new Refusal('invalid_json', { detail: 'it is nested too deep' });
  if (values > MOST_VALUES)
    return new Refusal('invalid_value', {
      detail: `The body has more than ${MOST_VALUES} tokens, texts and other values.`,
    });
  if (members > MOST_MEMBERS)
    return new Refusal('invalid_value', { detail: `The objects of the body have more than ${MOST_MEMBERS} members.` });
  return undefined;
}

/** The engine's own counts of a request whose count is not believed. */
const saidBy = (
  total: Partial<Tokens> | undefined,
  choices: ReadAnswer['choices'],
): { prompt?: number; cached?: number; completion?: number } | null =>
  total ?? [...choices.values()].find(({ said }) => said)?.said ?? null;

function boundsOf(asked: Asked, route: Route): Bounds {
  const contexts = route.models.map(({ facts }) => facts.contextTokens);
  const known = contexts.filter((tokens) => tokens !== undefined);
  return { ...asked, contextTokens: known.length === contexts.length ? Math.max(...known) : undefined };
}

function fieldsRefusal(asked: Asked, facts: Model['facts']): Refusal | undefined {
  try {
    demandFields(asked, facts);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Undefined: this worker was started without the adapter, or with an engine that does not know a field. */
function bodyFor(asked: Asked, { facts }: Model, adapter: string | undefined, pod: string): string | undefined {
  if (fieldsRefusal(asked, facts)) return undefined;
  const { adapters = facts.adapters } = facts.workers.find(({ name }) => name === pod) ?? {};
  if (adapter !== undefined && !adapters.includes(adapter)) return undefined;
  return engineBody(asked, { ...facts, adapter, adapters });
}

const standRefusal = (stand: Model['facts']['stand'], model: string): Refusal =>
  new Refusal(
    stand === 'unpaid'
      ? 'model_unpaid'
      : stand === 'failing'
        ? 'model_failing'
        : stand === 'stopped'
          ? 'model_stopped'
          : 'model_not_ready',
    { model },
  );

const notFound = (model: string) => new Refusal('model_not_found', { model: model.slice(0, 200) }, { param: 'model' });

/** Whether a key that is limited to some models may use this one. */
const mayName = ({ session }: Caller, address: string): boolean => {
  const models = session.limits?.models;
  return !models || models.includes(address);
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
