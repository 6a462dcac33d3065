// Row S2: pages of a table of gigabytes, in parts as the data worker writes them, over a real object store: the last page by a reader
// that knows nothing of the table, the same again, and any page. The table is deleted afterwards.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TablePart, Tables } from '../../api/src/core/tables/tables.ts';
import { pageIn } from '../../api/src/core/tables/testing/read-json.ts';
import { ObjectStore } from '../../api/src/platform/object-store/object-store.ts';
import { DATA_WORKER_LOCK } from '../../hack/images/data-worker.ts';
import { runCommand } from '../support/command.ts';
import { startObjectStore } from '../support/object-store.ts';
import { pythonWith } from '../support/python-with.ts';
import { sized } from './stage.ts';

/** About 200 bytes each, none of which compresses. */
const ROWS = sized(26_000_000);
const PAGES = 100;
const SIZE = 50;

/** Row groups and parts as `data-worker/gantry_worker/tables.py` cuts them. */
const WRITE = `
import sys, json
from pathlib import Path
import duckdb
from gantry_worker.limits import PART_BYTES, ROW_GROUP_BYTES
to, rows = sys.argv[1], int(sys.argv[2])
numbers = ", ".join(f"hash(i * 20 + {at}) AS c{at}" for at in range(20))
duckdb.sql("SET memory_limit = '2GB'; SET enable_progress_bar = false")
duckdb.sql(f"COPY (SELECT i, 'row ' || i AS text, {numbers} FROM range({rows}) t(i)) TO '{to}' (FORMAT parquet, COMPRESSION zstd, "
  f"ROW_GROUP_SIZE {ROW_GROUP_BYTES // 200}, FILE_SIZE_BYTES {PART_BYTES}, OVERWRITE_OR_IGNORE true, FILENAME_PATTERN 'data_{{i}}')")
parts = sorted(Path(to).glob("*.parquet"), key=lambda path: int(path.stem.rpartition("_")[2]))
counts = dict(duckdb.sql(f"SELECT file_name, num_rows FROM parquet_file_metadata('{to}/*.parquet')").fetchall())
print(json.dumps([{"name": path.name, "bytes": path.stat().st_size, "rows": counts[str(path)]} for path in parts]))
`;

export interface LastPages {
  readonly gigabytes: number;
  /** The last page, by a reader that has read nothing before. */
  readonly newMs: readonly number[];
  readonly againMs: readonly number[];
  readonly anyMs: readonly number[];
}

export async function lastPages(): Promise<LastPages> {
  const server = await startObjectStore();
  const { accessKeyId: accessKey, secretAccessKey: secretKey } = server.credentials;
  const facts = { url: server.endpoint, bucket: server.bucket, region: 'us-east-1', accessKey, secretKey };
  const store = new ObjectStore(facts);
  try {
    const parts = await writtenTable(join(server.folder, 'table'));
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    const known = new Tables(store);
    const page = async (from: number, tables: Tables) => {
      const began = performance.now();
      const json = await tables.pageOf(parts, { from, size: SIZE }, { lane: 'acme' });
      const ms = performance.now() - began;
      const found = pageIn(json);
      if (found.rows.length !== SIZE || found.rows[0]?.[0] !== from) throw new Error('a page has other rows');
      return ms;
    };
    // Threads start, and code is compiled.
    for (let warm = 0; warm < 10; warm++) await page(rows - SIZE, known);
    const [newMs, againMs, anyMs]: number[][] = [[], [], []];
    for (let at = 0; at < PAGES; at++) {
      newMs?.push(await page(rows - SIZE, new Tables(store)));
      againMs?.push(await page(rows - SIZE, known));
      anyMs?.push(await page(Math.floor(((rows - SIZE) * ((at * 61) % PAGES)) / PAGES), known));
    }
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    return { gigabytes: bytes / 1e9, newMs: newMs ?? [], againMs: againMs ?? [], anyMs: anyMs ?? [] };
  } finally {
    store.close();
    await server.end();
  }
}

async function writtenTable(folder: string): Promise<TablePart[]> {
  const lock = readFileSync(DATA_WORKER_LOCK, 'utf8');
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--requirement', DATA_WORKER_LOCK];
  const python = await pythonWith(`data-worker-${digest}`, options);
  const env = { PYTHONPATH: 'data-worker' };
  const { stdout, stderr, code } = await runCommand(python, ['-c', WRITE, folder, `${ROWS}`], { env });
  if (code !== 0) throw new Error(stderr);
  let firstRow = 0;
  return (JSON.parse(stdout) as { name: string; rows: number; bytes: number }[]).map(({ name, rows, bytes }) => {
    const part = { key: `table/${name}`, firstRow, rows, bytes };
    firstRow += rows;
    return part;
  });
}
