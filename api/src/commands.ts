// The program's commands besides serving. On PostgreSQL they work beside running gateways; a running gateway with the embedded
// database is asked.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { micros, moneyText } from '@gantry/contract/fields/money.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { BadConfig } from '@gantry/kube/options.ts';
import { backUp, newId } from './areas/backups/backup.ts';
import type { HasBlob } from './areas/backups/lost-files.ts';
import type { Manifest } from './areas/backups/manifest.ts';
import { type BackupConfig, backupParts, backupSecrets, openVault } from './areas/backups/open-vault.ts';
import { sentencesOf } from './areas/backups/report.ts';
import { InTheWay, type Proved, prove, restore } from './areas/backups/restore.ts';
import { whyGatewayIsInTheWay } from './areas/backups/restore-cluster.ts';
import { type KeyPlace, mustBeKeyOf, writeKey } from './areas/backups/restored-key.ts';
import { newKeys, Unreadable } from './areas/backups/sealed.ts';
import type { Vault } from './areas/backups/vault.ts';
import { readDatabaseFacts } from './areas/doctor/database-facts.ts';
import { DATABASE_FACTS } from './areas/doctor/surroundings.ts';
import { Proofs } from './core/billing/ledger/proofs.ts';
import type { BooksVerdict } from './core/billing/ledger/verify-books.ts';
import { type Verdict, verifyAuditLog } from './platform/audit/verify.ts';
import type { Config } from './platform/config.ts';
import { type Database, openDatabase } from './platform/db/open.ts';
import { type Answers, askGateway } from './platform/private-door.ts';

/** Data that people may assume to be in a backup. */
const NOT_IN_IT = 'not in a backup: what disks, the registry and the bucket for models hold';

type ClusterClient = Pick<KubeClient, 'as' | 'list' | 'get' | 'create' | 'mergePatch' | 'delete'>;

export interface CommandParts {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir' | 'from' | 'intoExisting'> & BackupConfig & KeyPlace;
  /** Asked for only by what needs the cluster. */
  readonly cluster: () => ClusterClient;
  readonly say: (line: string) => void;
  /** Whether the registry has an image. */
  readonly hasImage?: (image: string) => Promise<boolean | undefined>;
  /** Whether the object store has a model's file. */
  readonly hasBlob?: HasBlob;
}

const COMMANDS: Readonly<Record<string, (parts: CommandParts) => Promise<number>>> = {
  backup: makeBackup,
  restore: restoreBackup,
  'backups list': listBackups,
  'backups verify': (parts) => verifyBackup(parts),
  'audit verify': verify,
  'books verify': proveBooks,
};

/** Resolves with the exit code. Throws BadConfig for words that are no command. */
export function runCommand(words: readonly string[], parts: CommandParts): Promise<number> {
  const command = COMMANDS[words.join(' ')];
  if (command) return command(parts);
  const [first, second] = words;
  if (first === 'backup' && second !== undefined && words.length === 2) return writeBackup(second, parts);
  throw new BadConfig(
    `"${words.join(' ')}" is no command: there are ${Object.keys(COMMANDS).join(', ')}, backup <file> and doctor`,
  );
}

/** How a running gateway answers them. */
export const answersTo = (db: Database, config: BackupConfig, cluster: Pick<KubeClient, 'as'>): Answers => ({
  backup: async (res) => {
    const made = await withVault(config, (vault) => vault.make(backupParts(config, db, cluster)));
    res.writeHead(200).end(JSON.stringify(made));
  },
  'backup/file': async (res) => {
    const keys = await newKeys(backupSecrets(config));
    const now = Date.now();
    await backUp(backupParts(config, db, cluster), { id: newId(now), at: now, keys }, res.writeHead(200));
  },
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

async function withVault<T>(config: BackupConfig, work: (vault: Vault) => Promise<T>): Promise<T> {
  const opened = openVault(config);
  if (!opened) throw new BadConfig('--backup-bucket: must name the bucket for backups');
  try {
    return await work(opened.vault);
  } finally {
    opened.close();
  }
}

async function makeBackup({ config, cluster, say }: CommandParts): Promise<number> {
  const answer = await asked(config, 'backup');
  const made: Manifest = answer
    ? JSON.parse(await textOf(answer))
    : await withDatabase(config, (db) => withVault(config, (vault) => vault.make(backupParts(config, db, cluster()))));
  say(`${lineOf(made)} is in the bucket`);
  say(NOT_IN_IT);
  return 0;
}

async function writeBackup(file: string, { config, cluster, say }: CommandParts): Promise<number> {
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  try {
    await writeInto(createWriteStream(partial, { mode: 0o600, flags: 'wx' }), config, cluster);
    await prove({ file: partial, secrets: backupSecrets(config) });
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await rename(partial, file);
  say(`${file} is a backup`);
  say(NOT_IN_IT);
  return 0;
}

async function writeInto(
  out: Writable,
  config: CommandParts['config'],
  cluster: CommandParts['cluster'],
): Promise<void> {
  const answer = await asked(config, 'backup/file');
  if (answer) return pipeline(answer, out);
  const keys = await newKeys(backupSecrets(config));
  const now = Date.now();
  await withDatabase(config, (db) =>
    backUp(backupParts(config, db, cluster()), { id: newId(now), at: now, keys }, out),
  );
}

async function listBackups({ config, say }: CommandParts): Promise<number> {
  const all = await withVault(config, (vault) => vault.list());
  for (const one of all) say(lineOf(one));
  say(all.length === 0 ? 'the bucket holds no backup' : `${all.length} backups`);
  return 0;
}

const lineOf = ({ id, bytes, counts, version }: Manifest): string =>
  `${id} ${bytes} bytes, ${counts.rows} rows, ${counts.objects} objects, of version ${version}`;

/** A name with a slash is a file's; any other one is looked for in the bucket. */
function withProved<T>(config: CommandParts['config'], work: (file: string, proved: Proved) => Promise<T>): Promise<T> {
  const { from } = config;
  if (from.includes('/'))
    return prove({ file: from, secrets: backupSecrets(config) }).then((proved) => work(from, proved));
  return withVault(config, async (vault) => vault.proved(await vault.find(from), work));
}

async function verifyBackup({ config, say }: CommandParts): Promise<number> {
  return told(say, () =>
    withProved(config, async (_file, { header, counts }) => {
      say(`${header.id} is whole: ${counts.rows} rows, ${counts.objects} objects, made by version ${header.version}`);
      return 0;
    }),
  );
}

async function restoreBackup({ config, cluster, say, hasImage, hasBlob }: CommandParts): Promise<number> {
  return told(say, () =>
    withProved(config, async (file, proved) => {
      const secrets = backupSecrets(config);
      await mustBeKeyOf(config, proved.platformKey);
      // Before the database is opened: an embedded one has one process, and the lock of its folder tells none of other Pods.
      const why = await whyGatewayIsInTheWay(cluster());
      if (why) throw new InTheWay(why);
      return withDatabase(config, async (db) => {
        const { intoExisting } = config;
        const asked = { ...(hasImage && { hasImage }), ...(hasBlob && { hasBlob }) };
        const parts = { db, cluster: cluster(), intoExisting, now: Date.now(), ...asked };
        const found = await restore(parts, { file, secrets }, proved);
        const written = await writeKey(config, proved.platformKey, cluster);
        if (written) say(`${written} has the platform's key, as it was`);
        for (const line of sentencesOf(found)) say(line);
        const books = await sayBooks(await booksOf(db), say);
        say(NOT_IN_IT);
        return found.refused.length > 0 ? 1 : books;
      });
    }),
  );
}

/** As sysexits.h has EX_TEMPFAIL: the chart's Job tries again at this one alone. */
const TRY_AGAIN = 75;

/** A failure to read, for good or only now, is answered with its sentence alone. */
async function told(say: CommandParts['say'], work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof InTheWay)) throw error;
    say(error.message);
    return error instanceof InTheWay ? TRY_AGAIN : 1;
  }
}

async function verify({ config, say }: CommandParts): Promise<number> {
  const answer = await asked(config, 'audit/verify');
  const verdict: Verdict = answer ? JSON.parse(await textOf(answer)) : await withDatabase(config, verifyAuditLog);
  for (const { organizationId, seq, hash } of verdict.heads) say(`${organizationId || 'platform'} ${seq} ${hash}`);
  for (const fault of verdict.faults) say(fault);
  say(`${verdict.entries} entries, ${verdict.unsealed} not sealed yet, ${verdict.faults.length} broken chains`);
  return verdict.faults.length === 0 ? 0 : 1;
}

async function proveBooks({ config, say }: CommandParts): Promise<number> {
  const answer = await asked(config, 'books/verify');
  return sayBooks(answer ? JSON.parse(await textOf(answer)) : await withDatabase(config, booksOf), say);
}

function sayBooks({ transfers, unsealed, head, balances, faults }: BooksVerdict, say: CommandParts['say']): number {
  for (const [account, balance] of Object.entries(balances)) say(`${account} ${moneyText(micros(BigInt(balance)))}`);
  if (head) say(`sealed up to block ${head.number} ${head.hash}`);
  for (const fault of faults) say(fault);
  say(`${transfers} transfers, ${unsealed} not sealed yet, ${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
}

const textOf = async (answer: IncomingMessage): Promise<string> =>
  (await answer.setEncoding('utf8').toArray()).join('');

const asked = ({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>, name: string) =>
  databaseUrl ? undefined : askGateway(dataDir, name);

async function withDatabase<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(databaseUrl ? { url: databaseUrl } : { folder: dataDir });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
