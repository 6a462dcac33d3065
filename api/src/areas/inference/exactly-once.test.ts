// Every token is counted and paid for once, in real books, whatever becomes of requests: answers in full, clients that leave, workers
// that die, lie or cannot be reached, a database that fails for a while.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { tokenSku } from '@gantry/contract/billing/token-prices.ts';
import { micros, parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import pino from 'pino';
import { forEachDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { tinyModel } from '../../../../test/support/relay-parts.ts';
import { isSoak } from '../../../../test/support/soak.ts';
import { Ledger } from '../../core/billing/ledger/ledger.ts';
import { verifyBooks } from '../../core/billing/ledger/verify-books.ts';
import { Wallets } from '../../core/billing/ledger/wallets.ts';
import { Discounts, PriceTable } from '../../core/billing/prices/price-table.ts';
import type { Core } from '../../core/open.ts';
import { rowsOf } from '../../platform/db/rows-of.ts';
import { organizations } from '../../platform/db/schema/people.ts';
import { tokenTotals, tokenUsage } from '../../platform/db/schema/tokens.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Metrics } from '../../platform/http/metrics.ts';
import type { Platform } from '../../platform/open.ts';
import { type OpenCompletions, openCompletions } from './open.ts';
import { StubEngine, seedFor } from './testing/stub-engine.ts';

/** The long run plays ten thousand requests. */
const [RUNS, LEAST, MOST, LIMIT_MS] = isSoak ? [40, 250, 250, 1_800_000] : [4, 20, 40, 110_000];
const START = parseMoney('1000');

const caller = {
  account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
  session: { id: 'tok-1', kind: 'apiToken', scopes: ['view', 'use'], expiresAt: 9e15 },
} as unknown as Caller;

/** The course of one request. */
const fate = fc.record({
  tokens: fc.integer({ min: 0, max: 30 }),
  stream: fc.boolean(),
  cached: fc.integer({ min: 0, max: 3 }),
  end: fc.constantFrom('whole', 'whole', 'left', 'dies', 'ends', 'lies', 'silent', 'fails'),
  after: fc.integer({ min: 1, max: 10 }),
});
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never;

forEachDatabase((database) => {
  let engines: StubEngine[];
  let gateway: OpenCompletions;
  let wallets: Wallets;
  let front: Server;
  let url: string;
  let broken: number;

  beforeEach(async () => {
    const db = database();
    broken = 0;
    await db.sql
      .insert(organizations)
      .values({ id: 'acme', name: 'acme', currency: 'USD', createdAt: new Date(), revision: 1, projected: 1 });
    wallets = new Wallets({ db, clock: systemClock, ledger: new Ledger({ db, clock: systemClock }) });
    await wallets.open('acme', 'USD');
    await wallets.grant({ key: 'start', organizationId: 'acme', amount: START, at: new Date() });
    const price = (part: 'prompt' | 'cached' | 'completion', amount: bigint, id: bigint) => ({
      ...{ id, sku: tokenSku(part, 'any'), region: '*', currency: 'USD', validFrom: 0 },
      amount: micros(amount),
    });
    const tariff = {
      prices: new PriceTable([
        price('prompt', 333_333n, 1n),
        price('cached', 77_777n, 2n),
        price('completion', 1_234_567n, 3n),
      ]),
      discounts: new Discounts([{ id: 1n, type: 'organization', target: 'acme', basisPoints: 1_000, validFrom: 0 }]),
      ...{ region: 'us-east', currency: 'USD', organizationId: 'acme' },
    };
    engines = [new StubEngine(), new StubEngine()];
    const port = await engines[0]?.listen('127.0.0.1', 0);
    await engines[1]?.listen('127.0.0.2', port);
    const failing: Pick<Wallets, 'charge'> = {
      charge: async (...args) => {
        if (broken-- > 0) throw new Error('the database is away');
        const posted = await wallets.charge(...args);
        // The answer to a commit that is lost: it has happened all the same.
        if (broken-- > 0) throw new Error('the connection is lost');
        return posted;
      },
    };
    const platform = {
      config: { billing: 'on', serviceNetwork: 'direct', modelOrigins: [] },
      db,
      metrics: new Metrics(),
      limits: { mayTry: async () => {}, known: () => {}, inVain: async () => {} },
      addressOf: () => '127.0.0.1',
      clock: systemClock,
      log: pino({ level: 'silent' }),
    } as unknown as Platform;
    const billing = {
      wallets: new Proxy(wallets, {
        get: (of, name) => (name === 'charge' ? failing.charge : (Reflect.get(of, name, of) as () => void).bind(of)),
      }),
      tariffs: { of: () => tariff },
    };
    const core = {
      billing,
      authenticate: async () => caller,
      cluster: { cache: { on: () => () => {}, list: () => [], get: () => undefined } },
    } as unknown as Core;
    gateway = openCompletions(platform, core, {}, () => true);
    const worker = (at: number) => ({ name: `tiny-${at}`, podIP: `127.0.0.${at}`, phase: 'ready' });
    // Nobody listens at the third.
    gateway.models.show(tinyModel({ port: port ?? 0, workers: [worker(1), worker(2), worker(3)] }));
    gateway.start();
    front = createServer((req, res) => void gateway.answer(req, res));
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/v1/chat/completions`;
  });

  afterEach(async () => {
    front.close();
    front.closeAllConnections();
    for (const one of engines) one.close();
    await gateway.stop();
  });

  test('tokens are priced ahead as they are billed, and of a model that is not there by nobody', () => {
    const million = { prompt: 1_000_000, completion: 0 };
    // After a tenth of discount.
    expect(gateway.costs('acme', 'tiny', million)).toBe(300_000n);
    expect(gateway.costs('acme', 'acme/tiny', { prompt: 0, completion: 1_000_000 })).toBe(1_111_110n);
    expect([gateway.costs('acme', 'none', million), gateway.costs('other', 'tiny', million)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  /** Returns what the client has got. */
  async function play({ tokens, stream, cached, end, after }: Fate, at: number): Promise<{ pieces: number }> {
    const stub = {
      tokens: end === 'left' ? 500 : tokens,
      cached,
      ...(end === 'left' && { everyMs: 1 }),
      ...(end === 'dies' && { dieAfter: after }),
      ...(end === 'ends' && { endAfter: after }),
      ...(end === 'lies' && { usage: { prompt_tokens: 10 ** 9, completion_tokens: 10 ** 9 }, running: null }),
      ...(end === 'silent' && { usage: null, running: null }),
      ...(end === 'fails' && { status: 500 }),
    };
    const leaves = new AbortController();
    const isStream = stream || end === 'left' || end === 'dies' || end === 'ends';
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'tiny',
        messages: [{ role: 'user', content: `number ${at}` }],
        stream: isStream,
        seed: seedFor(stub),
      }),
      signal: leaves.signal,
    });
    if (end !== 'left') return { pieces: (await text(answer.body as never)).split('" word"').length - 1 };
    let pieces = 0;
    for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
      pieces += new TextDecoder().decode(bytes).split('" word"').length - 1;
      if (pieces >= after) break;
    }
    leaves.abort();
    return { pieces };
  }

  test(
    'billed tokens are those of the requests, in any order of ends, deaths and failures',
    async () => {
      let played = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fate, { minLength: LEAST, maxLength: MOST }),
          fc.integer({ min: 0, max: 3 }),
          async (fates, failures) => {
            broken = failures;
            const from = new Date();
            await Promise.all(fates.map((one, at) => play(one, at)));
            played += fates.length;
            await eventually('all of them are written', async () => {
              expect(await database().sql.$count(tokenUsage)).toBe(played);
              return true;
            });
            const rows = await database().sql.select().from(tokenUsage);
            expect(rows).toHaveLength(played);
            const fresh = rows.filter(({ at }) => at >= from);
            // Whatever was read in full is exactly what the engine has made; what broke off is what came.
            const answered = fresh.filter(({ outcome, doubt }) => outcome === 'answered' && doubt === null);
            const isCut = ({ end, after, tokens }: Fate) => (end === 'dies' || end === 'ends') && after < tokens;
            const whole = fates.filter((one) => ['whole', 'dies', 'ends'].includes(one.end) && !isCut(one));
            expect(sum(answered.map(({ completion }) => completion))).toBe(sum(whole.map(({ tokens }) => tokens)));
            const dead = fresh.filter(({ outcome }) => outcome === 'broken');
            const cut = fates.filter(isCut);
            expect(sum(dead.map(({ completion }) => completion))).toBe(sum(cut.map(({ after }) => after)));
            const net = sumOf(rows.map((row) => row.net));
            await eventually(
              'all is in the books',
              async () => (await wallets.balances('acme')).balance === START - net,
            );
            const [bills] = await rowsOf<{ total: string }>(
              database().sql,
              sql`select coalesce(sum(total), 0)::text as total from bills where type = 'consumption'`,
            );
            expect(BigInt(bills?.total ?? 0)).toBe(net);
            const totals = await database().sql.select().from(tokenTotals);
            expect(sum(totals.map(({ prompt, completion }) => prompt + completion))).toBe(
              sum(rows.map(({ prompt, completion }) => prompt + completion)),
            );
            expect(sum(totals.map(({ requests }) => requests))).toBe(played);
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
      expect((await verifyBooks(database(), new Date())).faults).toEqual([]);
    },
    LIMIT_MS,
  );

  test('whoever leaves pays for no more than was made, and no less than they got', async () => {
    for (let at = 1; at <= 5; at++) {
      const { pieces } = await play({ tokens: 0, stream: true, cached: 0, end: 'left', after: at }, at);
      await eventually('it is written', async () => {
        expect(await database().sql.$count(tokenUsage)).toBe(at);
        return true;
      });
      const rows = await database().sql.select().from(tokenUsage).orderBy(tokenUsage.at);
      const made = engines
        .flatMap(({ seen }) => seen)
        .find(({ body }) => JSON.stringify(body).includes(`number ${at}`));
      expect(rows.at(-1)?.completion).toBeGreaterThanOrEqual(pieces);
      expect(rows.at(-1)?.completion).toBeLessThanOrEqual(made?.sent ?? 0);
    }
  });

  test('the books say so where a transfer and its requests differ', async () => {
    await play({ tokens: 5, stream: false, cached: 0, end: 'whole', after: 1 }, 1);
    await eventually('it is written', async () => (await database().sql.$count(tokenUsage)) === 1);
    await database()
      .sql.update(tokenUsage)
      .set({ list: micros(1) });
    const { faults } = await verifyBooks(database(), new Date());
    expect(faults.join()).toContain('its requests to models of 1');
  });
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
