// Row H2: the tokens of ten thousand requests, as the engines' own books have them and as they are posted in PostgreSQL, while clients
// leave in the midst of answers, and engines and gateways are killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseMoney, sumOf } from '@gantry/contract/fields/money.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { Ledger } from '../../api/src/core/billing/ledger/ledger.ts';
import { verifyBooks } from '../../api/src/core/billing/ledger/verify-books.ts';
import { Wallets } from '../../api/src/core/billing/ledger/wallets.ts';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import { organizations } from '../../api/src/platform/db/schema/people.ts';
import { tokenUsage } from '../../api/src/platform/db/schema/tokens.ts';
import { freePorts } from '../support/free-ports.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { type Asked, PROMPT_TOKENS } from './counted-facts.ts';
import { sized } from './stage.ts';

const REQUESTS = sized(10_000);
const CLIENTS = 50;
const MOST_TOKENS = 24;
/** Between two looks for a gateway. */
const AGAIN_MS = 100;
const GRANTED = parseMoney('100000');
/** While the requests are under way: at which part of them who is ended, and how. */
const ENDS: readonly (readonly [at: number, who: 'gateway' | 0 | 1, signal: NodeJS.Signals])[] = [
  ...[0.08, 0.24, 0.4, 0.56, 0.72, 0.88].map((at, turn) => [at, (turn % 2) as 0 | 1, 'SIGUSR2'] as const),
  ...([0.16, 0.48, 0.8] as const).map((at) => [at, 'gateway', 'SIGKILL'] as const),
  ...([0.32, 0.64] as const).map((at) => [at, 'gateway', 'SIGTERM'] as const),
].sort(([a], [b]) => a - b);

export interface Counted {
  requests: number;
  /** That engines have sent. */
  tokens: number;
  left: number;
  /** Interrupted because an engine died. */
  broken: number;
  /** Interrupted because its gateway was killed, or ended just before and not written. */
  lost: number;
  lostTokens: number;
  /** Requests whose posted tokens are not those that their engine has sent. */
  different: number;
  /** Posted more than once, or for nobody. */
  surplus: number;
  /** Not posted, though the gateway that answered them was never killed. */
  missing: number;
  /** Faults in the proof of the books, and in the wallet's payments. */
  faults: number;
}

/** As one client knows it. */
interface Seen {
  asked: Asked;
  id?: string;
  /** Which of the gateway's lives it met. */
  life: number;
  isCut: boolean;
}

export async function countedTokens(): Promise<Counted> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-'));
  const postgres = await startPostgres();
  const url = await postgres.createDatabase('counted');
  const [front = 0, port = 0] = await freePorts(2);
  const children = new Map<'gateway' | 0 | 1, ChildProcess>();
  const begin = async (who: 'gateway' | 0 | 1) => {
    const [program, ...args] =
      who === 'gateway'
        ? ['counted-server.ts', url, front, port]
        : ['counted-engine.ts', `127.0.0.${who + 1}`, port, join(folder, `${who}`)];
    const file = fileURLToPath(new URL(`${program}`, import.meta.url));
    const child = spawn(process.execPath, [file, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.set(who, child);
    await once(createInterface({ input: child.stdout }), 'line');
  };
  /** By life: whether it was killed. */
  const killed: boolean[] = [false];
  const end = async (who: 'gateway' | 0 | 1, signal: NodeJS.Signals) => {
    const child = children.get(who);
    if (who === 'gateway') killed[killed.length - 1] = signal === 'SIGKILL';
    const ended = child && once(child, 'exit');
    child?.kill(signal);
    await ended;
  };
  try {
    await seed(url);
    for (const who of [0, 1, 'gateway'] as const) await begin(who);
    const seen: Seen[] = [];
    let begun = 0;
    let isOver = false;
    const ending = (async () => {
      for (const [at, who, signal] of ENDS) {
        while (begun < at * REQUESTS) await delay(5);
        await end(who, signal);
        if (who === 'gateway') killed.push(false);
        await begin(who);
      }
      isOver = true;
    })();
    const client = async () => {
      while (begun < REQUESTS || !isOver) seen.push(await ask(front, askedAs(begun++), () => killed.length - 1));
    };
    await Promise.all([ending, ...Array.from({ length: CLIENTS }, client)]);
    await end('gateway', 'SIGTERM');
    return await counted(url, seen, await sentBy([join(folder, '0'), join(folder, '1')]), killed);
  } finally {
    for (const child of children.values()) child.kill('SIGKILL');
    await postgres.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function seed(url: string): Promise<void> {
  const db = await openDatabase({ url });
  await db.sql
    .insert(organizations)
    .values({ id: 'acme', name: 'acme', currency: 'USD', createdAt: new Date(), revision: 1, projected: 1 });
  const wallets = new Wallets({ db, clock: systemClock, ledger: new Ledger({ db, clock: systemClock }) });
  await wallets.open('acme', 'USD');
  await wallets.grant({ key: 'start', organizationId: 'acme', amount: GRANTED, at: new Date() });
  await db.close();
}

/** A quarter leave in the midst, at a piece of their own. */
function askedAs(number: number): Asked {
  const tokens = 1 + ((number * 7) % MOST_TOKENS);
  const leaves = number % 4 === 1 && tokens > 1;
  return { number, tokens, ...(leaves && { leavesAfter: 1 + ((number * 5) % (tokens - 1)) }) };
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
const PIECE = '" word"';

/** Waits for a gateway. Resolves with what became of it, whatever that is. */
async function ask(port: number, asked: Asked, lifeNow: () => number): Promise<Seen> {
  for (;;) {
    const life = lifeNow();
    const one = await tried(port, asked);
    if (one !== 'refused') return { asked, life, ...one };
    await delay(AGAIN_MS);
  }
}

function tried(port: number, asked: Asked): Promise<Pick<Seen, 'id' | 'isCut'> | 'refused'> {
  const { promise, resolve } = Promise.withResolvers<Pick<Seen, 'id' | 'isCut'> | 'refused'>();
  const stream = asked.leavesAfter !== undefined || asked.number % 8 !== 0;
  const messages = [{ role: 'user', content: JSON.stringify(asked) }];
  const body = JSON.stringify({ model: 'tiny', stream, max_tokens: 2 * MOST_TOKENS, messages });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: 'Bearer bench',
  };
  const req = request(
    { host: '127.0.0.1', port, path: '/v1/chat/completions', method: 'POST', agent, headers },
    (res) => {
      const id = `${res.headers['x-request-id']}`;
      let pieces = 0;
      res.setEncoding('utf8').on('data', (part: string) => {
        pieces += part.split(PIECE).length - 1;
        if (asked.leavesAfter === undefined || pieces < asked.leavesAfter) return;
        resolve({ id, isCut: false });
        req.destroy();
      });
      res.once('end', () => resolve({ id, isCut: false })).once('error', () => resolve({ id, isCut: true }));
    },
  );
  req.once('error', (error: NodeJS.ErrnoException) =>
    resolve(error.code === 'ECONNREFUSED' ? 'refused' : { isCut: true }),
  );
  req.end(body);
  return promise;
}

/** By the number of the request. */
async function sentBy(files: readonly string[]): Promise<ReadonlyMap<number, number>> {
  const sums = new Map<number, number>();
  for (const file of files)
    for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
      const [number = 0, tokens = 0] = line.split(' ').map(Number);
      sums.set(number, (sums.get(number) ?? 0) + tokens);
    }
  return sums;
}

async function counted(
  url: string,
  all: readonly Seen[],
  sent: ReadonlyMap<number, number>,
  killed: readonly boolean[],
): Promise<Counted> {
  const db = await openDatabase({ url });
  try {
    const rows = await db.sql.select().from(tokenUsage);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const of = (one: Seen) => (one.id === undefined ? undefined : byId.get(one.id));
    const sentOf = ({ asked }: Seen) => sent.get(asked.number) ?? 0;
    // On a connection that a gateway has closed meanwhile a request reaches nobody.
    const seen = all.filter((one) => one.id !== undefined || sentOf(one) > 0);
    const without = seen.filter((one) => of(one) === undefined);
    const lost = without.filter(({ life }) => killed[life]);
    const isDifferent = (one: Seen) => {
      const row = of(one);
      if (!row) return false;
      const isPrompt = row.outcome !== 'answered' || row.prompt === PROMPT_TOKENS;
      return row.completion !== sentOf(one) || !isPrompt;
    };
    const wallets = new Wallets({ db, clock: systemClock, ledger: new Ledger({ db, clock: systemClock }) });
    const paid = GRANTED - (await wallets.balances('acme')).balance;
    const { faults } = await verifyBooks(db, new Date());
    const sumOfSent = (some: readonly Seen[]) => some.reduce((all, one) => all + sentOf(one), 0);
    for (const one of seen.filter(isDifferent).slice(0, 5)) console.error(one, sentOf(one), of(one));
    return {
      requests: seen.length,
      tokens: sumOfSent(seen),
      left: rows.filter(({ outcome }) => outcome === 'left').length,
      broken: rows.filter(({ outcome }) => outcome === 'broken').length,
      lost: lost.length,
      lostTokens: sumOfSent(lost),
      different: seen.filter(isDifferent).length,
      surplus: rows.length - (seen.length - without.length),
      missing: without.length - lost.length,
      faults: faults.length + (paid === sumOf(rows.map(({ net }) => net)) ? 0 : 1),
    };
  } finally {
    await db.close();
  }
}
