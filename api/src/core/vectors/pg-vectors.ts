// Vectors of knowledge bases in a PostgreSQL with pgvector: a table for each file of vectors, by its SHA-256, with an HNSW index. A table
// and its row in `bases` become whole in one transaction, so that nothing half is ever searched.
import pg from 'pg';
import { boundVectors, HEAD_BYTES, readNpyHead } from './npy-rows.ts';

export interface Near {
  chunk: number;
  /** The inner product: the cosine, since vectors have length 1. */
  score: number;
}

/** `refused`: a file that it cannot hold; `failing`: the last try to fill it failed. */
type State = 'asked' | 'failing' | 'refused' | 'whole';

export interface HeldBase {
  state: State;
  /** Up to 99 until it is whole. */
  percent: number;
  /** As the file says; null until it is whole. */
  rows: number | null;
  dimensions: number | null;
}

export interface VectorsFile {
  sha256: string;
  sizeBytes: number;
  /** Bytes from `from` to `to`, the last one not in it. */
  read(range: { from: number; to: number }): Promise<Uint8Array<ArrayBuffer>>;
}

/** HNSW indexes of `vector` have at most so many dimensions, those of `halfvec` twice as many. */
const MOST_VECTOR = 2_000;
export const MOST_DIMENSIONS = 4_000;
const LEAST_VERSION = [0, 7];
/** What the index looks at for a question, and the most that it can be told to: among these the nearest are chosen exactly. */
const LOOKED_AT = 200;
const MOST_LOOKED_AT = 1_000;
/** More make an index that takes hours. */
const MOST_ROWS = 20_000_000;
/** What is turned and sent at once: the loop is busy with it for some milliseconds, also on a machine that is busy. */
const PIECE_BYTES = 512 * 1024;
const PIECE_ROWS = 4_096;
const MOST_CONNECTIONS = 4;
const CONNECTS_WITHIN_MS = 3_000;
const STATEMENT_MS = 5_000;
/** A connection that has gone silent. */
const SILENT_MS = 8_000;
/** One that fills says nothing for hours while the index is made: then the other end is asked whether it is still there. */
const ASKS_AFTER_MS = 30_000;
/** "vect" as a number among the advisory locks. */
const LOCK = 0x76656374;
const KEPT_UNASKED = '30 days';
const NOTED_EVERY = '1 hour';

const MAKE = `
  begin; set local statement_timeout = ${STATEMENT_MS};
  select pg_advisory_xact_lock(${LOCK});
  create extension if not exists vector;
  create schema if not exists gantry_vectors;
  create table if not exists gantry_vectors.bases (
    sha256 text primary key, state text not null default 'asked', percent int not null default 0, filler int,
    rows bigint, dimensions int, asked_at timestamptz not null default now(), failed_at timestamptz,
    made_at timestamptz);
  commit`;
const FIND = `
  select state, rows::float8 as rows, dimensions, asked_at < now() - interval '${NOTED_EVERY}' as "isOld",
    least(99, (percent + coalesce((select 100 * blocks_done / nullif(blocks_total, 0)
      from pg_stat_progress_create_index where pid = filler limit 1), 0)) / 2)::int as percent
  from gantry_vectors.bases where sha256 = $1`;
const ASK = `insert into gantry_vectors.bases (sha256) values ($1) on conflict (sha256) do update set asked_at = now()`;
const LIST = `
  select sha256, state, asked_at < now() - interval '${KEPT_UNASKED}' as "isUnused"
  from gantry_vectors.bases order by failed_at nulls first, asked_at`;

type Client = pg.Client | pg.PoolClient;

export class PgVectors {
  readonly #url: string;
  readonly #pool: pg.Pool;
  #made: Promise<string> | undefined;

  constructor(url: string) {
    this.#url = url;
    this.#pool = new pg.Pool({ ...this.#connection(), max: MOST_CONNECTIONS, query_timeout: SILENT_MS });
    // One that breaks is replaced at its next use; without a listener it would end the process.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Makes what is missing, once. Resolves with pgvector's version. */
  open(): Promise<string> {
    this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  /** What there is of a file; one that nobody has asked for yet is noted. */
  async find(sha256: string): Promise<HeldBase | undefined> {
    const [found] = await this.#rows<HeldBase & { isOld: boolean }>(FIND, [sha256]);
    if (!found || found.isOld) await this.#rows(ASK, [sha256]);
    return found;
  }

  /** Best first, and by their numbers where they are equally near. `vector` has length 1 and as many numbers as the base. */
  async nearest(sha256: string, vector: readonly number[], k: number): Promise<Near[]> {
    const looked = Math.min(MOST_LOOKED_AT, Math.max(LOOKED_AT, k));
    const type = indexedAs(vector.length);
    const settings = `set local hnsw.ef_search = ${looked}; set local enable_seqscan = off`;
    const select = `
      select chunk, -(embedding <#> $1::vector) as score from (
        select chunk, embedding from ${tableOf(sha256)} order by embedding::${type} <#> $1::${type} limit ${looked}
      ) as near order by score desc, chunk limit ${Math.min(k, looked)}`;
    const { rows } = await this.#transaction(settings, (client) =>
      client.query<Near>(select, [JSON.stringify(vector)]),
    );
    return rows;
  }

  list(): Promise<{ sha256: string; state: State; isUnused: boolean }[]> {
    return this.#rows(LIST);
  }

  /** False: another one is at it, or there is nothing to do. One that fails leaves nothing behind. */
  async fill(file: VectorsFile, signal: AbortSignal): Promise<'whole' | 'refused' | false> {
    await this.open();
    signal.throwIfAborted();
    const client = new pg.Client({
      ...this.#connection(),
      ...{ keepAlive: true, keepAliveInitialDelayMillis: ASKS_AFTER_MS },
    });
    client.on('error', () => undefined);
    // It cuts the connection, whatever is under way.
    const cut = () => void client.end().catch(() => undefined);
    signal.addEventListener('abort', cut);
    try {
      await client.connect();
      await client.query(`begin; set local client_connection_check_interval = '10s'; set local statement_timeout = 0`);
      if (!(await isOurs(client, file.sha256))) return false;
      const became = await this.#fill(client, file);
      await client.query('commit');
      return became;
    } finally {
      signal.removeEventListener('abort', cut);
      await client.end().catch(() => undefined);
    }
  }

  /** Its last try failed: it is tried again after the others, those that failed before it among them. */
  async noteFailure(sha256: string): Promise<void> {
    const note = `update gantry_vectors.bases set state = 'failing', failed_at = now() where sha256 = $1 and state in ('asked', 'failing')`;
    await this.#pool.query(note, [sha256]);
  }

  /** One that is not there is no error; one that is being filled stays. */
  async drop(sha256: string): Promise<void> {
    await this.open();
    await this.#transaction('', async (client) => {
      if (!(await isOurs(client, sha256))) return;
      await client.query(`drop table if exists ${tableOf(sha256)}`);
      await client.query('delete from gantry_vectors.bases where sha256 = $1', [sha256]);
    });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #fill(client: pg.Client, { sha256, sizeBytes, read }: VectorsFile): Promise<'whole' | 'refused' | false> {
    const bases = 'gantry_vectors.bases';
    const { rows: held } = await client.query<{ state: State }>(`select state from ${bases} where sha256 = $1`, [
      sha256,
    ]);
    if (held[0]?.state !== 'asked' && held[0]?.state !== 'failing') return false;
    const head = readNpyHead(await read({ from: 0, to: Math.min(HEAD_BYTES, sizeBytes) }), sizeBytes);
    if (!head || head.dimensions > MOST_DIMENSIONS || head.rows > MOST_ROWS) {
      await client.query(`update ${bases} set state = 'refused' where sha256 = $1`, [sha256]);
      return 'refused';
    }
    const { offset, rows, dimensions } = head;
    const table = tableOf(sha256);
    const about = await client.query<{ oid: number; pid: number }>(
      `select 'vector'::regtype::oid::int as oid, pg_backend_pid() as pid`,
    );
    const [{ oid, pid } = { oid: 0, pid: 0 }] = about.rows;
    await client.query(
      `drop table if exists ${table}; create table ${table} (chunk int not null, embedding vector(${dimensions}) not null)`,
    );
    const width = dimensions * 4;
    const atOnce = Math.min(PIECE_ROWS, Math.floor(PIECE_BYTES / width));
    const insert = `insert into ${table} select $1::int + n - 1, v from unnest($2::vector[]) with ordinality as u(v, n) where v is not null`;
    for (let first = 0, said = -1; first < rows; first += atOnce) {
      const to = Math.min(rows, first + atOnce);
      const piece = await read({ from: offset + first * width, to: offset + to * width });
      await client.query(insert, [first, boundVectors(piece, dimensions, oid)]);
      const percent = Math.floor((100 * to) / rows);
      // Past the transaction, for whoever asks meanwhile.
      if (percent > said)
        await this.#pool.query(`update ${bases} set percent = $2, filler = $3 where sha256 = $1`, [
          sha256,
          percent,
          pid,
        ]);
      said = percent;
    }
    const type = indexedAs(dimensions);
    const operators = dimensions > MOST_VECTOR ? 'halfvec_ip_ops' : 'vector_ip_ops';
    await client.query(`create index on ${table} using hnsw ((embedding::${type}) ${operators})`);
    await client.query(
      `update ${bases} set state = 'whole', rows = $2, dimensions = $3, made_at = now() where sha256 = $1`,
      [sha256, rows, dimensions],
    );
    return 'whole';
  }

  async #rows<T extends pg.QueryResultRow>(statement: string, values: readonly string[] = []): Promise<T[]> {
    await this.open();
    try {
      return (await this.#pool.query<T>(statement, [...values])).rows;
    } catch (error) {
      // It may be another database by now, an empty one.
      this.#made = undefined;
      throw error;
    }
  }

  async #make(): Promise<string> {
    const client = await this.#pool.connect();
    let isDone = false;
    try {
      await client.query(MAKE);
      const { rows } = await client.query<{ version: string }>(
        `select extversion as version from pg_extension where extname = 'vector'`,
      );
      const [{ version } = { version: '0' }] = rows;
      const [major = 0, minor = 0] = version.split('.').map(Number);
      const [leastMajor = 0, leastMinor = 0] = LEAST_VERSION;
      if (major < leastMajor || (major === leastMajor && minor < leastMinor))
        throw new Error(`pgvector ${version} is too old: it has to be ${LEAST_VERSION.join('.')} or newer`);
      isDone = true;
      return version;
    } finally {
      client.release(!isDone);
    }
  }

  /** A connection whose transaction has not ended is not used again. */
  async #transaction<T>(settings: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isDone = false;
    try {
      await client.query(`begin; set local statement_timeout = ${STATEMENT_MS}; ${settings}`);
      const result = await work(client);
      await client.query('commit');
      isDone = true;
      return result;
    } finally {
      client.release(!isDone);
    }
  }

  readonly #connection = () => ({
    connectionString: this.#url,
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    application_name: 'gantry-vectors',
  });
}

/** Who fills and who drops exclude each other until their transactions end. */
async function isOurs(client: Client, sha256: string): Promise<boolean> {
  const taken = 'select pg_try_advisory_xact_lock($1, hashtext($2)) as mine';
  const { rows } = await client.query<{ mine: boolean }>(taken, [LOCK, sha256]);
  return rows[0]?.mine === true;
}

const indexedAs = (dimensions: number): string => `${dimensions > MOST_VECTOR ? 'halfvec' : 'vector'}(${dimensions})`;

function tableOf(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('a file of vectors has no digest');
  return `gantry_vectors.v_${sha256.slice(0, 32)}`;
}
