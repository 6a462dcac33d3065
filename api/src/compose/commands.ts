// The program's commands besides serving: `backup <file>`, `restore <file>`, `audit verify`, `books verify`. On PostgreSQL they
// work beside running gateways; a running gateway with the embedded database is asked.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { micros, moneyText } from '@gantry/contract/fields/money.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { type Verdict, verifyAuditLog } from '../audit/verify.ts';
import { backUp, restore } from '../backup/backup.ts';
import { Proofs } from '../billing/ledger/proofs.ts';
import type { BooksVerdict } from '../billing/ledger/verify-books.ts';
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { readDatabaseFacts } from '../doctor/database-facts.ts';
import { DATABASE_FACTS } from './doctor-surroundings.ts';
import { type Answers, askGateway } from './private-door.ts';
import { version } from './version.ts';

/** Data that people may assume to be in a backup. */
const NOT_IN_IT =
  "not in a backup: the platform's key (its file is kept apart), what disks and the registry hold, and Secrets";

export interface CommandParts {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  /** Asked for only by what needs the cluster. */
  readonly cluster: () => Pick<KubeClient, 'list' | 'create'>;
  readonly say: (line: string) => void;
}

/** Resolves with the exit code. Throws BadConfig for words that are no command. */
export function runCommand(words: readonly string[], parts: CommandParts): Promise<number> {
  const [first, second, ...rest] = words;
  if (second !== undefined && rest.length === 0) {
    if (first === 'backup') return writeBackup(second, parts);
    if (first === 'restore') return readBackup(second, parts);
    if (first === 'audit' && second === 'verify') return verify(parts);
    if (first === 'books' && second === 'verify') return proveBooks(parts);
  }
  throw new BadConfig(
    `"${words.join(' ')}" is no command: there are backup <file>, restore <file>, audit verify, books verify and doctor`,
  );
}

/** How a running gateway answers them. */
export const answersTo = (db: Database, cluster: Pick<KubeClient, 'list' | 'create'>): Answers => ({
  backup: async (res) => backUp({ db, cluster, version }, res.writeHead(200)),
  'audit/verify': async (res) => {
    const verdict = await verifyAuditLog(db);
    res.writeHead(200).end(JSON.stringify(verdict));
  },
  'books/verify': async (res) => {
    const verdict = await booksOf(db);
    res.writeHead(200).end(JSON.stringify(verdict));
  },
  [DATABASE_FACTS]: async (res) => {
    const facts = await readDatabaseFacts(db, systemClock);
    res.writeHead(200).end(JSON.stringify(facts));
  },
});

/** The proof is kept for the operators' console. */
const booksOf = (db: Database): Promise<BooksVerdict> => new Proofs({ db, clock: systemClock }).prove();

async function writeBackup(file: string, { config, cluster, say }: CommandParts): Promise<number> {
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  try {
    await writeInto(createWriteStream(partial, { mode: 0o600, flags: 'wx' }), config, cluster);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await rename(partial, file);
  say(`${file} is a backup of the database and of all organisations' objects; whoever reads it knows their secrets`);
  say(NOT_IN_IT);
  return 0;
}

async function writeInto(
  out: Writable,
  config: CommandParts['config'],
  cluster: CommandParts['cluster'],
): Promise<void> {
  const answer = await asked(config, 'backup');
  if (answer) await pipeline(answer, out);
  else await withDatabase(config, (db) => backUp({ db, cluster: cluster(), version }, out));
}

async function readBackup(file: string, { config, cluster, say }: CommandParts): Promise<number> {
  const { rows, made, alreadyThere } = await withDatabase(config, (db) => restore({ db, cluster: cluster() }, file));
  say(`restored ${rows} rows and ${made} objects; ${alreadyThere} objects were there and were left as they are`);
  say(NOT_IN_IT);
  return 0;
}

async function verify({ config, say }: CommandParts): Promise<number> {
  const answer = await asked(config, 'audit/verify');
  const verdict: Verdict = answer
    ? JSON.parse((await answer.setEncoding('utf8').toArray()).join(''))
    : await withDatabase(config, verifyAuditLog);
  for (const { organizationId, seq, hash } of verdict.heads) say(`${organizationId || 'platform'} ${seq} ${hash}`);
  for (const fault of verdict.faults) say(fault);
  say(`${verdict.entries} entries, ${verdict.unsealed} not sealed yet, ${verdict.faults.length} broken chains`);
  return verdict.faults.length === 0 ? 0 : 1;
}

async function proveBooks({ config, say }: CommandParts): Promise<number> {
  const answer = await asked(config, 'books/verify');
  const { transfers, unsealed, head, balances, faults }: BooksVerdict = answer
    ? JSON.parse((await answer.setEncoding('utf8').toArray()).join(''))
    : await withDatabase(config, booksOf);
  for (const [account, balance] of Object.entries(balances)) say(`${account} ${moneyText(micros(BigInt(balance)))}`);
  if (head) say(`sealed up to block ${head.number} ${head.hash}`);
  for (const fault of faults) say(fault);
  say(`${transfers} transfers, ${unsealed} not sealed yet, ${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
}

const asked = ({ databaseUrl, dataDir }: CommandParts['config'], name: string) =>
  databaseUrl ? undefined : askGateway(dataDir, name);

async function withDatabase<T>(
  { databaseUrl, dataDir }: CommandParts['config'],
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(databaseUrl ? { url: databaseUrl } : { folder: dataDir });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
