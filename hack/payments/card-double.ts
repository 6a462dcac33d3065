// Stands in for Stripe at the wire: a server with its paths, forms, errors, idempotency keys and signed webhooks, with memory. No
// money moves, and anyone who can reach it may pay with its test cards: only for development and tests.
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

// biome-ignore lint/suspicious/noExplicitAny: objects as Stripe writes them, of many shapes
type Json = Record<string, any>;

export interface CardDoubleSettings {
  port: number;
  /** Default loopback. */
  address?: string;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** The URL that receives events automatically; absent: the test delivers them. */
  webhookUrl?: string;
  /** Outlives the process. */
  file?: string;
  /** Seconds since 1970. */
  now?: () => number;
}

/** The behaviour of each test card when it is charged: names and numbers are Stripe's own. */
const CARDS: Record<
  string,
  { number: string; does: 'pays' | 'asks' | 'waits' | 'declines' | 'refundFails'; code?: string }
> = {
  pm_card_visa: { number: '4242424242424242', does: 'pays' },
  pm_card_mastercard: { number: '5555555555554444', does: 'pays' },
  pm_card_authenticationRequired: { number: '4000002760003184', does: 'asks' },
  pm_card_authenticationRequiredOnSetup: { number: '4000002500003155', does: 'asks' },
  pm_card_chargeDeclined: { number: '4000000000000002', does: 'declines', code: 'generic_decline' },
  pm_card_chargeDeclinedInsufficientFunds: {
    number: '4000000000009995',
    does: 'declines',
    code: 'insufficient_funds',
  },
  pm_card_chargeDeclinedExpiredCard: { number: '4000000000000069', does: 'declines', code: 'expired_card' },
  /** A charge that takes its time: not among Stripe's, whose cards answer at once. */
  pm_card_processing: { number: '4000000000000077', does: 'waits' },
  pm_card_refundFail: { number: '4000000000005126', does: 'refundFails' },
};

/** In the smallest unit of the currency. */
const DISPUTE_FEE = 1500;

const FORM = new URL('card-form.js', import.meta.url);

class Refusal extends Error {
  readonly status: number;
  readonly body: Json;
  constructor(status: number, body: Json) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

const invalid = (message: string, code = 'parameter_invalid_empty') =>
  new Refusal(400, { type: 'invalid_request_error', code, message });
const missing = (id: string) =>
  new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such object: '${id}'` });

export class CardDouble {
  readonly #settings: CardDoubleSettings;
  readonly #server: Server;
  #objects: Record<string, Json> = {};
  #answers: Record<string, { request: string; status: number; body: Json }> = {};
  /** In the order in which they happened. */
  readonly events: Json[] = [];
  /** Calls in order of arrival, so that a test sees how many there were and with which keys. */
  readonly calls: { method: string; path: string; key: string | undefined; version: string | undefined }[] = [];
  /** Connections break before anything is done, or after it is. */
  breaks: 'before' | 'after' | undefined;
  /** The key is in use until this resolves. */
  takes: Promise<void> | undefined;
  readonly #keysInUse = new Set<string>();

  constructor(settings: CardDoubleSettings) {
    this.#settings = settings;
    this.#load();
    this.#server = createServer((req, res) => void this.#answer(req, res));
  }

  async listen(): Promise<void> {
    const { port, address = '127.0.0.1' } = this.#settings;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, address, resolve);
    });
  }

  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()).closeAllConnections());
  }

  /** As it does after a day. */
  forgetKeys(): void {
    this.#answers = {};
  }

  /** All objects of a type: `payment_intent`, `refund`. */
  all(object: string): Json[] {
    return Object.values(this.#objects).filter((one) => one.object === object);
  }

  get(id: string): Json {
    const found = this.#objects[id];
    if (!found) throw missing(id);
    return found;
  }

  /** Plays a person's answer on their bank's page. */
  authenticate(id: string, isRight: boolean): void {
    const intent = this.get(id);
    if (intent.status !== 'requires_action') throw invalid(`${id} asks for nothing`, 'payment_intent_unexpected_state');
    if (isRight) this.#succeed(intent);
    else this.#fail(intent, { code: `${intent.object}_authentication_failure`, message: 'It was not confirmed.' });
  }

  /** How a charge ends that took its time. */
  finish(id: string, isPaid: boolean): void {
    if (isPaid) this.#succeed(this.get(id));
    else this.#fail(this.get(id), { code: 'card_declined', decline_code: 'generic_decline', message: 'Declined.' });
  }

  /** The cardholder's bank takes the side of the cardholder. Begins a dispute, or another one of `more`, or moves the newest on. */
  dispute(intentId: string, status: string, more?: { amount: number }): void {
    const intent = this.get(intentId);
    const charge = this.get(intent.latest_charge);
    const ofIntent = this.all('dispute').filter(({ payment_intent }) => payment_intent === intentId);
    const known = more ? undefined : ofIntent.at(-1);
    const { currency } = intent;
    const amount = more?.amount ?? known?.amount ?? intent.amount;
    const facts = { payment_intent: intentId, charge: charge.id, amount, currency, balance_transactions: [] };
    const dispute = known ?? this.#make('dp', 'dispute', facts);
    dispute.status = status;
    charge.disputed = true;
    this.#happened(`charge.dispute.${known ? 'updated' : 'created'}`, dispute);
    // An inquiry moves no money; any other dispute takes it at once, with a fee, and returns it when won.
    const isOut = dispute.balance_transactions.length === 1;
    if (!isOut && !known && !status.startsWith('warning_')) {
      dispute.balance_transactions.push({ amount: -amount, fee: DISPUTE_FEE, net: -amount - DISPUTE_FEE, currency });
      this.#happened('charge.dispute.funds_withdrawn', dispute);
    }
    if (status === 'won' && isOut) {
      dispute.balance_transactions.push({ amount, fee: 0, net: amount, currency });
      this.#happened('charge.dispute.funds_reinstated', dispute);
    }
    if (['won', 'lost', 'warning_closed'].includes(status)) this.#happened('charge.dispute.closed', dispute);
  }

  /** Somebody refunds it in the provider's dashboard. */
  refundByHand(intentId: string, amount?: number): Json {
    const refund = this.#refund({ payment_intent: intentId, amount }, {});
    this.#happened('charge.refunded', this.get(refund.charge));
    return refund;
  }

  /** How a refund ends, late. */
  endRefund(id: string, status: 'succeeded' | 'failed'): void {
    const refund = this.get(id);
    refund.status = status;
    this.#happened(status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  }

  /** As Stripe would send it. */
  signed(event: Json, at = this.#now()): { body: string; headers: Record<string, string> } {
    const body = JSON.stringify(event);
    const signature = createHmac('sha256', this.#settings.webhookSecret).update(`${at}.${body}`).digest('hex');
    return { body, headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` } };
  }

  /** The status that it was answered with; 0 for none. */
  async deliver(event: Json, url: string): Promise<number> {
    const { body, headers } = this.signed(event);
    return fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => 0,
    );
  }

  #now(): number {
    return this.#settings.now?.() ?? Math.floor(Date.now() / 1000);
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://double');
    const method = req.method ?? 'GET';
    const key = req.headers['idempotency-key'] as string | undefined;
    const said = await text(req).catch(() => '');
    // Pages of any origin may ask here, as they may ask Stripe.
    res.setHeader('access-control-allow-origin', '*');
    if (pathname === '/v3/') return this.#script(res);
    if (pathname.startsWith('/authenticate/')) return this.#bankPage(pathname.slice(14), searchParams, res);
    this.calls.push({ method, path: pathname, key, version: req.headers['stripe-version'] as string | undefined });
    if (this.breaks === 'before') return void req.socket.destroy();
    const inUse = { type: 'invalid_request_error', code: 'idempotency_key_in_use', message: 'The key is in use.' };
    const isInUse = key !== undefined && this.#keysInUse.has(key);
    if (key !== undefined && !isInUse && this.takes !== undefined) {
      this.#keysInUse.add(key);
      await this.takes;
      this.#keysInUse.delete(key);
    }
    const { status, body } = isInUse
      ? { status: 409, body: { error: inUse } }
      : this.#once(method, pathname, key, said, () =>
          this.#do(method, pathname, formOf(method === 'POST' ? new URLSearchParams(said) : searchParams), req),
        );
    if (this.breaks === 'after') return void req.socket.destroy();
    res.writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_${randomBytes(6).toString('hex')}`,
    });
    res.end(JSON.stringify(body));
  }

  /** An answer is stored under its key, and a key belongs to one request. */
  #once(method: string, path: string, key: string | undefined, said: string, work: () => Json) {
    const request = `${method} ${path} ${said}`;
    const kept = key === undefined ? undefined : this.#answers[key];
    if (kept && kept.request !== request)
      return {
        status: 400,
        body: { error: { type: 'idempotency_error', message: 'The key was used for another request.' } },
      };
    if (kept) return kept;
    let answer: { request: string; status: number; body: Json };
    try {
      answer = { request, status: 200, body: structuredClone(work()) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer = { request, status: error.status, body: { error: structuredClone(error.body) } };
    }
    if (key !== undefined && answer.status !== 401) this.#answers[key] = answer;
    this.#save();
    return answer;
  }

  #do(method: string, path: string, form: Json, req: IncomingMessage): Json {
    const [, version, kind = '', id = '', verb = ''] = path.split('/');
    const isOwner = this.#isOwner(req);
    const object = id === '' ? undefined : this.get(presetOr(id, this.#objects));
    if (!isOwner && !isOfPage(method, kind, verb, object, form))
      throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
    if (version !== 'v1') throw missing(path);
    const answer = this.#route(`${method} ${kind}${id && '/id'}${verb && `/${verb}`}`, object ?? {}, form);
    return this.#expanded(answer, form.expand);
  }

  #isOwner(req: IncomingMessage): boolean {
    const [scheme, credentials = ''] = (req.headers.authorization ?? '').split(' ');
    const key = scheme === 'Basic' ? Buffer.from(credentials, 'base64').toString().replace(/:$/, '') : credentials;
    return key === this.#settings.secretKey;
  }

  #route(what: string, object: Json, form: Json): Json {
    const { metadata = {}, customer = null } = form;
    switch (what) {
      case 'POST customers':
        return this.#make('cus', 'customer', { metadata, invoice_settings: {} });
      case 'GET customers/id':
        return object;
      case 'POST customers/id':
        return Object.assign(object, form);
      case 'POST setup_intents':
        return this.#makeIntent('seti', 'setup_intent', {
          customer,
          metadata,
          usage: form.usage,
          last_setup_error: null,
        });
      case 'POST payment_intents':
        return this.#pay(form, metadata, customer);
      case 'GET setup_intents/id':
      case 'GET payment_intents/id':
      case 'GET refunds/id':
      case 'GET payment_methods/id':
        return object;
      case 'POST setup_intents/id/confirm':
      case 'POST payment_intents/id/confirm':
        return this.#confirm(object, form);
      case 'POST setup_intents/id/cancel':
      case 'POST payment_intents/id/cancel':
        return this.#cancel(object);
      case 'GET payment_intents':
        return this.#list('payment_intent', form, (one) => customer === null || one.customer === customer);
      case 'GET refunds':
        return this.#list('refund', form, (one) => !form.payment_intent || one.payment_intent === form.payment_intent);
      case 'GET disputes':
        return this.#list('dispute', form, (one) => one.payment_intent === form.payment_intent);
      case 'GET events':
        return this.#pageOf(
          this.events.filter(({ type }) => Object.values(form.types ?? {}).includes(type)),
          form,
        );
      case 'POST payment_methods/id/attach':
        return Object.assign(object, { customer });
      case 'POST payment_methods/id/detach':
        object.customer = null;
        this.#happened('payment_method.detached', object);
        return object;
      case 'POST refunds':
        return this.#refund(form, metadata);
      default:
        throw missing(what);
    }
  }

  #make(prefix: string, object: string, more: Json): Json {
    const made = {
      id: `${prefix}_${randomBytes(12).toString('hex')}`,
      object,
      created: this.#now(),
      livemode: false,
      ...more,
    };
    this.#objects[made.id] = made;
    return made;
  }

  #makeIntent(prefix: string, object: string, more: Json): Json {
    const status = 'requires_payment_method';
    const made = this.#make(prefix, object, {
      status,
      payment_method: null,
      next_action: null,
      latest_charge: null,
      ...more,
    });
    made.client_secret = `${made.id}_secret_${randomBytes(12).toString('hex')}`;
    return made;
  }

  #pay(form: Json, metadata: Json, customer: string | null): Json {
    const amount = Number(form.amount);
    if (!Number.isInteger(amount) || amount < 1) throw invalid('Invalid positive integer', 'parameter_invalid_integer');
    if (!/^[a-z]{3}$/.test(form.currency ?? '')) throw invalid('Invalid currency');
    const intent = this.#makeIntent('pi', 'payment_intent', {
      amount,
      amount_received: 0,
      currency: form.currency,
      customer,
      metadata,
      last_payment_error: null,
      payment_method_types: ['card'],
    });
    this.#happened('payment_intent.created', intent);
    return form.confirm === 'true' ? this.#confirm(intent, form) : intent;
  }

  #confirm(intent: Json, form: Json): Json {
    if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status))
      throw invalid(`It is ${intent.status}`, 'payment_intent_unexpected_state');
    const { card } = form.payment_method_data ?? {};
    const id = card === undefined ? (form.payment_method ?? intent.payment_method ?? '') : presetOf(card.number);
    const method = this.#methodOf(id, intent.customer, card);
    intent.payment_method = method.id;
    const { does, code } = CARDS[method.preset] ?? { does: 'pays' };
    const isAsked = does === 'asks' && (intent.object === 'payment_intent' || form.off_session !== 'true');
    if (isAsked && form.error_on_requires_action === 'true')
      return this.#decline(intent, { code: 'authentication_required', decline_code: 'authentication_required' });
    if (isAsked) {
      intent.status = 'requires_action';
      const url = `${this.url}/authenticate/${intent.id}`;
      intent.next_action = { type: 'redirect_to_url', redirect_to_url: { url, return_url: form.return_url ?? null } };
      this.#happened(`${intent.object}.requires_action`, intent);
      return intent;
    }
    if (does === 'declines') {
      const isKnown = ['expired_card', 'incorrect_cvc'].includes(code ?? '');
      return this.#decline(intent, { code: isKnown ? code : 'card_declined', decline_code: code });
    }
    if (does === 'waits' && intent.object === 'payment_intent') {
      intent.status = 'processing';
      this.#happened('payment_intent.processing', intent);
      return intent;
    }
    this.#succeed(intent);
    return intent;
  }

  /** A decline is an answer of status 402 that has the intent in it. */
  #decline(intent: Json, said: Json): never {
    const error = { type: 'card_error', message: 'Your card was declined.', ...said };
    this.#fail(intent, error);
    throw new Refusal(402, { ...error, [intent.object]: intent });
  }

  #succeed(intent: Json): void {
    intent.status = 'succeeded';
    intent.next_action = null;
    if (intent.object === 'setup_intent') {
      this.get(intent.payment_method).customer = intent.customer;
    } else {
      intent.amount_received = intent.amount;
      const { id, amount, currency } = intent;
      intent.latest_charge = this.#make('ch', 'charge', {
        payment_intent: id,
        amount,
        currency,
        disputed: false,
      }).id;
    }
    this.#happened(`${intent.object}.succeeded`, intent);
  }

  #fail(intent: Json, error: Json): void {
    intent.status = 'requires_payment_method';
    intent.next_action = null;
    const isSetup = intent.object === 'setup_intent';
    intent[isSetup ? 'last_setup_error' : 'last_payment_error'] = { type: 'card_error', ...error };
    intent.payment_method = null;
    this.#happened(isSetup ? 'setup_intent.setup_failed' : 'payment_intent.payment_failed', intent);
  }

  #cancel(intent: Json): Json {
    if (['succeeded', 'canceled', 'processing'].includes(intent.status))
      throw invalid(`It is ${intent.status}`, 'payment_intent_unexpected_state');
    intent.status = 'canceled';
    this.#happened(`${intent.object}.canceled`, intent);
    return intent;
  }

  #refund(form: Json, metadata: Json): Json {
    const intent = this.get(form.payment_intent ?? '');
    const gone = this.all('refund')
      .filter((one) => one.payment_intent === intent.id && one.status !== 'failed')
      .reduce((sum, one) => sum + one.amount, 0);
    const amount = Number(form.amount ?? intent.amount_received);
    if (amount > intent.amount_received - gone) throw invalid('More than is left', 'charge_already_refunded');
    const does = CARDS[this.get(intent.payment_method).preset]?.does;
    const status = does === 'refundFails' ? 'pending' : 'succeeded';
    const { currency, id, latest_charge } = intent;
    const refund = this.#make('re', 'refund', {
      amount,
      currency,
      payment_intent: id,
      charge: latest_charge,
      metadata,
      status,
    });
    this.#happened('refund.created', refund);
    return refund;
  }

  /** A test card's name creates a separate card for each customer. `typed`: the form's fields. */
  #methodOf(id: string, customer: string | null, typed: Json = {}): Json {
    const card = CARDS[id];
    if (!card) return this.get(id);
    const facts = {
      brand: card.number.startsWith('5') ? 'mastercard' : 'visa',
      last4: card.number.slice(-4),
      exp_month: Number(typed.exp_month ?? 12),
      exp_year: Number(typed.exp_year ?? new Date(this.#now() * 1000).getUTCFullYear() + 3),
    };
    return this.#make('pm', 'payment_method', { type: 'card', card: facts, preset: id, customer });
  }

  #list(object: string, form: Json, isIt: (one: Json) => boolean): Json {
    return this.#pageOf(this.all(object).filter(isIt), form);
  }

  /** The newest first. */
  #pageOf(objects: readonly Json[], form: Json): Json {
    const since = Number(form.created?.gte ?? 0);
    const all = objects.filter((one) => one.created >= since).reverse();
    const from = form.starting_after ? all.findIndex(({ id }) => id === form.starting_after) + 1 : 0;
    const data = all.slice(from, from + Number(form.limit ?? 10));
    return { object: 'list', url: '/v1', data, has_more: from + data.length < all.length };
  }

  /** `payment_method`: names in an answer that are to be whole objects. */
  #expanded(answer: Json, wanted: Json | undefined): Json {
    const copy = structuredClone(answer);
    for (const path of Object.values(wanted ?? {}) as string[]) {
      let at: Json | undefined = copy;
      for (const name of path.split('.')) {
        if (typeof at?.[name] === 'string') at[name] = structuredClone(this.#objects[at[name]] ?? at[name]);
        at = typeof at?.[name] === 'object' ? at[name] : undefined;
      }
    }
    return copy;
  }

  #happened(type: string, object: Json): void {
    const event = {
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      type,
      api_version: '2026-10-28.endive',
      created: this.#now(),
      livemode: false,
      data: { object: structuredClone(object) },
    };
    this.events.push(event);
    const { webhookUrl } = this.#settings;
    if (webhookUrl) void this.#deliverUntilTaken(event, webhookUrl);
  }

  async #deliverUntilTaken(event: Json, url: string): Promise<void> {
    for (const seconds of [0, 1, 5, 15, 60, 300, 900]) {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref());
      const status = await this.deliver(event, url);
      if (status >= 200 && status < 300) return;
    }
  }

  /** Serves the script that renders the card form in pages. */
  #script(res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' });
    res.end(readFileSync(FORM));
  }

  /** The page on which a bank asks: opening the link is the answer. */
  #bankPage(id: string, query: URLSearchParams, res: ServerResponse): void {
    try {
      const back = this.get(id).next_action?.redirect_to_url?.return_url;
      this.authenticate(id, query.get('answer') !== 'no');
      this.#save();
      res.writeHead(back ? 303 : 200, { 'content-type': 'text/plain', ...(back && { location: back }) });
      res.end('TEST MODE: answered. No money moves.\n');
    } catch (error) {
      res.writeHead(400, { 'content-type': 'text/plain' }).end(`${(error as Error).message}\n`);
    }
  }

  #load(): void {
    const { file } = this.#settings;
    if (file === undefined) return;
    try {
      const { objects, answers } = JSON.parse(readFileSync(file, 'utf8'));
      this.#objects = objects;
      this.#answers = answers;
    } catch {
      // There is none yet.
    }
  }

  #save(): void {
    const { file } = this.#settings;
    if (file === undefined) return;
    writeFileSync(`${file}.new`, JSON.stringify({ objects: this.#objects, answers: this.#answers }), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}

/** With an object's own secret a page may confirm it, and nothing else. */
const isOfPage = (method: string, kind: string, verb: string, object: Json | undefined, form: Json): boolean =>
  ['setup_intents', 'payment_intents'].includes(kind) &&
  ((method === 'POST' && verb === 'confirm') || (method === 'GET' && verb === '')) &&
  object?.client_secret !== undefined &&
  object.client_secret === form.client_secret;

/** Throws the card error of a number that is none. */
function presetOf(number: string): string {
  const found = Object.entries(CARDS).find(([, card]) => card.number === number);
  if (found) return found[0];
  throw new Refusal(402, { type: 'card_error', code: 'incorrect_number', message: 'That is no test card.' });
}

/** A test card's name is also a valid object. */
const presetOr = (id: string, objects: Record<string, Json>): string =>
  id in CARDS ? (Object.values(objects).find(({ preset }) => preset === id)?.id ?? id) : id;

/** `metadata[a]=1&expand[0]=b` as an object of objects. */
function formOf(pairs: URLSearchParams): Json {
  const form: Json = {};
  for (const [name, value] of pairs) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    let at = form;
    for (const part of path.slice(0, -1)) {
      at[part] ??= {};
      at = at[part];
    }
    at[path.at(-1) ?? ''] = value;
  }
  return form;
}
