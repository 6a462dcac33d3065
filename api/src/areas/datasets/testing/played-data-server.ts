// A data server in memory: a table is the lines of its inputs, one part for each two of them. It can be away, break off and refuse.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Args } from '@gantry/contract/said.ts';
import type { ToRead } from '../../../core/data-server/data-servers.ts';
import type { TableFacts } from '../../../core/data-server/server-answers.ts';
import { SourceAway } from '../../../core/files/source.ts';
import { blobKey } from '../../../core/files/stored-objects.ts';
import type { PlayedStore } from '../../../core/files/testing/played-store.ts';
import type { TablePart } from '../../../platform/db/schema/datasets.ts';
import type { ReadsData } from '../reads-data.ts';

const ROWS_OF_A_PART = 2;

export class PlayedDataServer implements ReadsData {
  readonly #store: PlayedStore;
  /** By path. */
  readonly files = new Map<string, Buffer>();
  /** What was asked of which organisation's. */
  readonly asked: [string, string][] = [];
  /** Organisations that are not there any more. */
  readonly missing = new Set<string>();
  /** So often the next call finds nobody. */
  away = 0;
  /** A part ends after so many bytes, once. */
  breaksAfter: number | undefined;
  refusal: Args | undefined;
  /** Profiles that are under way, by organisation. */
  readonly running: string[] = [];
  /** Parts have other bytes than it says. */
  lies = false;
  gate: Promise<void> | undefined;

  constructor(store: PlayedStore) {
    this.#store = store;
  }

  profile: ReadsData['profile'] = async (organizationId, { out, inputs }, tell, signal) => {
    this.#call('profile', organizationId);
    this.running.push(organizationId);
    try {
      tell({ step: 'kinds', done: 0, of: inputs.length });
      if (this.gate !== undefined) await Promise.race([this.gate, once(signal, 'abort')]);
      signal.throwIfAborted();
      if (this.missing.has(organizationId)) throw problem('not_found', { what: organizationId });
      if (this.refusal !== undefined) throw problem('dataset_profile_failed', this.refusal);
      const rows = inputs.flatMap(({ digest }) =>
        `${this.#store.objects.get(blobKey(digest))}`.split('\n').filter((line) => line !== ''),
      );
      const parts: TablePart[] = [];
      for (let at = 0; at < rows.length; at += ROWS_OF_A_PART) {
        const some = rows.slice(at, at + ROWS_OF_A_PART);
        const bytes = Buffer.from(JSON.stringify(some));
        const path = `${out}/data-${parts.length}.parquet`;
        this.files.set(path, bytes);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        parts.push({ ...{ kind: 'data', path, firstRow: at, rows: some.length }, bytes: bytes.length, sha256 });
      }
      return factsOf(rows.length, parts);
    } finally {
      this.running.splice(this.running.indexOf(organizationId), 1);
    }
  };

  async *part(organizationId: string, path: string, from: number): AsyncGenerator<Uint8Array> {
    this.#call('part', organizationId);
    const whole = this.files.get(path);
    const bytes = (this.lies ? whole?.map((byte) => byte ^ 1) : whole)?.subarray(from);
    if (!bytes) throw new SourceAway(`it has no ${path}`);
    const most = this.breaksAfter;
    this.breaksAfter = undefined;
    yield bytes.subarray(0, most);
    if (most !== undefined && most < bytes.length) throw new SourceAway('it broke off');
  }

  forget = async (organizationId: string, { out }: ToRead): Promise<void> => {
    this.asked.push(['forget', organizationId]);
    for (const path of this.files.keys()) if (path.startsWith(`${out}/`)) this.files.delete(path);
  };

  query: ReadsData['query'] = async (organizationId, tables, sql) => {
    this.#call('query', organizationId);
    return { ...cellsOf([[sql, Object.keys(tables).join()]]), more: false };
  };

  find: ReadsData['find'] = async (organizationId, _, asked) => {
    this.#call('find', organizationId);
    return { ...cellsOf([[JSON.stringify(asked)]]), numbers: [7], total: 1 };
  };

  search: ReadsData['search'] = async (organizationId, _, { text }) => {
    this.#call('search', organizationId);
    return { ...cellsOf([[text]]), numbers: [7], next: null };
  };

  diff: ReadsData['diff'] = async (organizationId, before, after) => {
    this.#call('diff', organizationId);
    const rows = { added: after.length, removed: before.length, changed: 0, same: 0, before: 0, after: 0 };
    const none = cellsOf([]);
    return {
      ...{ rows, columns: { added: [], removed: [], changed: [] }, changedColumns: { a: 1 } },
      ...{ added: none, removed: none, changed: none },
    };
  };

  bring: ReadsData['bring'] = async (organizationId) => {
    this.#call('bring', organizationId);
  };

  /** One passage, which says what was asked. */
  retrieve: ReadsData['retrieve'] = async (organizationId, { chunks, vectors, words }, asked) => {
    this.#call('retrieve', organizationId);
    const names = [chunks, vectors ? [vectors] : [], words ? [words] : []];
    const parts = names.map((some) => some.map(({ sha256 }) => sha256.slice(0, 2)).join());
    const place = { file: 'a.txt', page: 1, paragraph_first: 1, paragraph_last: 2, row: null };
    const text = [JSON.stringify(asked), ...parts].join(' ');
    return [{ chunk: 0, text, ...place, score: 1, vector: null, words: null, isCut: false }];
  };

  #call(name: string, organizationId: string): void {
    this.asked.push([name, organizationId]);
    if (this.away > 0) {
      this.away -= 1;
      throw new SourceAway('nobody is there');
    }
  }
}

const cellsOf = (rows: unknown[][]) => ({
  columns: [{ name: 'a', type: 'VARCHAR' }],
  rows: JSON.stringify(rows),
  cut: [],
});

const factsOf = (rows: number, parts: TablePart[]): TableFacts => ({
  ...{ kind: 'text', way: 'documents', filesMore: 0 },
  ...{ rows, rejected: 0, rejectedKept: 0, duplicates: 0, languages: { en: rows }, isCut: false, parts },
  columns: [{ name: 'a', type: 'BIGINT', nulls: 0, histogram: { edges: [0, 1], counts: [rows] } }],
  files: [{ name: 'bad.txt', kind: 'text', bytes: 1, problem: { code: 'Locked', sentence: 'It is bad.' } }],
});
