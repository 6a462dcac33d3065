// Pages, cells and files of tables that DuckDB wrote, and Arrow (`testing/*.parquet`), what is fetched for them, and what hostile ones do.
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../../../../test/support/command.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { SEED } from '../../../../test/support/seeded-fast-check.ts';
import { isSoak } from '../../../../test/support/soak.ts';
import { Aside } from '../../platform/aside/aside.ts';
import { Footers } from './footers.ts';
import { type TablePart, Tables } from './tables.ts';
import { column, int32s, page, parquetFile } from './testing/parquet-file.ts';
import { cellIn, pageIn } from './testing/read-json.ts';

const asking = { lane: 'acme' };
const fixture = (name: string) => readFileSync(new URL(`testing/${name}.parquet`, import.meta.url));
const ROWS = { forms: 3, groups: 5_000, long: 1, empty: 0, arrow: 3 };

/** With the mark at its beginning. */
const text = async (stream: Readable) => (await buffer(stream)).toString();

/** A store that counts what is read, and parts of these files one after the other. */
function stored(...files: (keyof typeof ROWS)[]) {
  const objects = new Map(files.map((name, at) => [`${at}`, fixture(name)]));
  const read: string[] = [];
  const store = {
    read: async (key: string, { from, to } = { from: 0, to: 0 }, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      read.push(`${key}: ${to - from + 1}`);
      return Readable.from([(objects.get(key) ?? Buffer.alloc(0)).subarray(from, to + 1)]);
    },
  };
  let firstRow = 0;
  const parts = files.map((name, at): TablePart => {
    const part = { key: `${at}`, firstRow, rows: ROWS[name], bytes: objects.get(`${at}`)?.length ?? 0 };
    firstRow += part.rows;
    return part;
  });
  return { store, parts, read, tables: new Tables(store) };
}

const row = (i: number) => [i, `word ${i % 7}`, i % 3 === 0 ? Array.from({ length: i % 4 }, (_, at) => at) : null];
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => row(from + at));

describe('a page', () => {
  test('of a table that Arrow wrote has a column without a value', async () => {
    const { tables, parts } = stored('arrow');
    const { rows: found } = pageIn(await tables.pageOf(parts, { from: 0, size: 10 }, asking));
    expect(found).toEqual([
      [1, 'a', 0.5, true, null],
      [2, 'b', null, null, null],
      [3, 'a', 1, false, null],
    ]);
  });

  test.each([
    ['the first rows', 0, rows(0, 100)],
    ['rows of two row groups', 2_000, rows(2_000, 2_100)],
    ['the last rows', 4_950, rows(4_950, 5_000)],
    ['no rows behind the end', 5_000, []],
  ])('has %s', async (_, from, wanted) => {
    const { tables, parts } = stored('groups');
    const found = pageIn(await tables.pageOf(parts, { from, size: 100 }, asking));
    expect(found).toEqual({
      columns: [
        { name: 'i', type: 'BIGINT' },
        { name: 'word', type: 'VARCHAR' },
        { name: 'list', type: 'BIGINT[]' },
      ],
      ...{ rows: wanted, cut: [], total: 5_000 },
    });
  });

  test('goes over the parts of a table', async () => {
    const { tables, parts } = stored('groups', 'groups', 'groups');
    const found = pageIn(await tables.pageOf(parts, { from: 9_990, size: 20 }, asking));
    expect([found.rows, found.total]).toEqual([[...rows(4_990, 5_000), ...rows(0, 10)], 15_000]);
  });

  test('has at most 100 rows, and the columns that are asked for', async () => {
    const { tables, parts } = stored('groups');
    const found = pageIn(await tables.pageOf(parts, { from: 0, size: 1_000, columns: ['word', 'i'] }, asking));
    expect(found.columns.map(({ name }) => name)).toEqual(['word', 'i']);
    expect(found.rows).toEqual(rows(0, 100).map(([i, word]) => [word, i]));
  });

  test('of a column that is not there is refused by its name', async () => {
    const { tables, parts } = stored('groups');
    const asked = tables.pageOf(parts, { from: 0, size: 1, columns: ['i', 'none'] }, asking);
    await expect(asked).rejects.toMatchObject({ problem: 'table_column_unknown', args: { column: 'none' } });
  });

  test('of an empty table has its columns', async () => {
    const { tables, parts } = stored('empty');
    const { columns, ...rest } = pageIn(await tables.pageOf(parts, { from: 0, size: 100 }, asking));
    expect([columns.map(({ name }) => name), rest]).toEqual([['a', 'b'], { rows: [], cut: [], total: 0 }]);
  });

  test('of no parts is empty', async () => {
    const found = pageIn(await stored().tables.pageOf([], { from: 0, size: 100 }, asking));
    expect(found).toEqual({ columns: [], rows: [], cut: [], total: 0 });
  });

  test('cuts long cells, and says how long they are', async () => {
    const { tables, parts } = stored('long');
    const found = pageIn(await tables.pageOf(parts, { from: 0, size: 100 }, asking));
    expect([found.rows, found.cut]).toEqual([[['ä'.repeat(4_096), 1]], [[0, 0, 5_000]]]);
  });

  test('that nobody waits for any more is not read', async () => {
    const { tables, parts, read } = stored('groups');
    await tables.pageOf(parts, { from: 0, size: 1 }, asking);
    const gone = tables.pageOf(parts, { from: 0, size: 1 }, { ...asking, signal: AbortSignal.abort() });
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    expect(read.length).toBe(2);
  });

  test('of parts with different columns is refused', async () => {
    const { tables, parts } = stored('long', 'forms');
    const asked = tables.pageOf(parts, { from: 0, size: 2 }, asking);
    await expect(asked).rejects.toMatchObject({
      problem: 'table_unreadable',
      args: { detail: 'its parts have different columns' },
    });
  });
});

describe('what is fetched', () => {
  test('is the footer once, and then the row groups of a page', async () => {
    const { tables, parts, read } = stored('groups', 'groups');
    await tables.pageOf(parts, { from: 9_950, size: 50 }, asking);
    await tables.pageOf(parts, { from: 9_900, size: 50 }, asking);
    const [footer, ...groups] = read;
    expect([footer, groups.length, new Set(groups).size]).toEqual([`1: ${parts[1]?.bytes}`, 2, 1]);
    expect(Number(groups[0]?.slice(3))).toBeLessThan((parts[1]?.bytes ?? 0) / 2);
  });

  test('are no columns far from those that are asked for', async () => {
    const wide = Array.from(
      { length: 3 },
      (_, at) => [column(`c${at}`), page({ body: noise(64_000), values: 64_000 })] as const,
    );
    const bytes = parquetFile(wide, 64_000);
    let fetched = 0;
    const store = {
      read: async (_: string, { from, to } = { from: 0, to: 0 }) => {
        fetched += to - from + 1;
        return Readable.from([bytes.subarray(from, to + 1)]);
      },
    };
    const parts = [{ key: 'wide', firstRow: 0, rows: 64_000, bytes: bytes.length }];
    const tables = new Tables(store);
    await tables.pageOf(parts, { from: 0, size: 1 }, asking);
    fetched = 0;
    await tables.pageOf(parts, { from: 0, size: 1, columns: ['c0', 'c2'] }, asking);
    expect(fetched / bytes.length).toBeCloseTo(2 / 3, 2);
  });

  describe('by several organisations at once', () => {
    /** A store whose reads of one key hang until they are called off. */
    const hanging = (store: ReturnType<typeof stored>['store'], hangs: (key: string, lane: number) => boolean) => {
      let reads = 0;
      return {
        read: (key: string, range?: { from: number; to: number }, signal?: AbortSignal): Promise<Readable> =>
          hangs(key, reads++)
            ? new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
            : store.read(key, range),
      };
    };
    const page = { from: 0, size: 1 };
    const other = { lane: 'other' };

    test('a footer waits in nobody else’s line', async () => {
      const { store, parts } = stored('groups', 'groups');
      const [slow, ...shared] = parts.map((part) => ({ ...part, firstRow: 0 }));
      const gone = new AbortController();
      const tables = new Tables(hanging(store, (key) => key === slow?.key));
      const ended = [[slow as TablePart], shared].map((of) =>
        expect(tables.pageOf(of, page, { lane: 'other', signal: gone.signal })).rejects.toThrow('gone'),
      );
      expect(pageIn(await tables.pageOf(shared, page, asking)).total).toBe(5_000);
      gone.abort(new Error('gone'));
      await Promise.all(ended);
    });

    test('a footer does not fail with the call of who asked first', async () => {
      const { store, parts } = stored('groups');
      const gone = new AbortController();
      const tables = new Tables(hanging(store, (_, read) => read === 0));
      const first = expect(tables.pageOf(parts, page, { ...other, signal: gone.signal })).rejects.toThrow('gone');
      const second = tables.pageOf(parts, page, asking);
      gone.abort(new Error('gone'));
      await first;
      expect(pageIn(await second).total).toBe(5_000);
    });
  });

  test('is forgotten when there is too much of it, the oldest first', async () => {
    const { store, parts, read } = stored('groups', 'groups', 'groups');
    const footers = new Footers({
      store,
      threads: new Aside({ threads: 2 }),
      inTurn: (_, work) => work(),
      most: 15_000,
    });
    for (const part of [0, 1, 1, 0, 2, 0, 1]) await footers.of(parts[part] as TablePart, { lane: 'acme' });
    expect(read.map((one) => one[0]).join('')).toBe('0121');
  });

  test('is fetched again after the store was away', async () => {
    const { store, parts } = stored('groups');
    let isAway = true;
    const tables = new Tables({
      read: (...args) => (isAway ? Promise.reject(new Error('away')) : store.read(...args)),
    });
    await expect(tables.pageOf(parts, { from: 0, size: 1 }, asking)).rejects.toThrow('away');
    isAway = false;
    expect(pageIn(await tables.pageOf(parts, { from: 0, size: 1 }, asking)).total).toBe(5_000);
  });
});

test('one cell is whole', async () => {
  const { tables, parts } = stored('long');
  const cell = cellIn(await tables.cellOf(parts, 0, 'text', asking));
  expect(cell).toEqual({ value: 'ä'.repeat(5_000), length: null });
  expect(await tables.cellOf(parts, 1, 'text', asking)).toBeUndefined();
});

test('one cell that is longer than what is answered says how long it is', async () => {
  const long = Buffer.alloc(2_000_000, 'a');
  const bytes = parquetFile([[column('c', 6, 0, {}), page({ body: lengthAnd(long), values: 1 })]], 1);
  const read = async (_: string, { from, to } = { from: 0, to: 0 }) => Readable.from([bytes.subarray(from, to + 1)]);
  const parts = [{ key: 'long', firstRow: 0, rows: 1, bytes: bytes.length }];
  const cell = cellIn(await new Tables({ read }).cellOf(parts, 0, 'c', asking));
  // Bytes are hexadecimal, after `\\x`.
  expect([`${cell?.value}`.length, cell?.length]).toEqual([1_048_576, 4_000_002]);
});

describe('pages that many ask for at once', () => {
  /** A store of one part for each organisation, which counts the row groups that are held from their fetch to their cells. */
  function counted(...organizations: string[]) {
    const bytes = fixture('groups');
    const log = { most: 0, ofOne: 0, reads: [] as string[] };
    const threads = new Aside({ threads: 2 });
    const lanes: string[] = [];
    const store = {
      read: async (key: string, { from, to } = { from: 0, to: 0 }, signal?: AbortSignal) => {
        signal?.throwIfAborted();
        log.reads.push(key);
        lanes.push(key);
        log.most = Math.max(log.most, lanes.length);
        log.ofOne = Math.max(log.ofOne, lanes.filter((lane) => lane === key).length);
        return Readable.from([bytes.subarray(from, to + 1)]);
      },
    };
    const run: Aside['run'] = async (task, args, options) => {
      try {
        return await threads.run(task, args, options);
      } finally {
        if (['cellsOf', 'readFooter'].includes(task.name)) lanes.splice(lanes.indexOf(options.lane), 1);
      }
    };
    const tables = new Tables(store, { run });
    const ask = (lane: string, signal?: AbortSignal) => {
      const parts = [{ key: lane, firstRow: 0, rows: ROWS.groups, bytes: bytes.length }];
      return tables.pageOf(parts, { from: 0, size: 10 }, { lane, ...(signal && { signal }) });
    };
    return { log, ask, known: () => Promise.all(organizations.map((one) => ask(one))) };
  }

  test('hold the row groups of four organisations, and one of each', async () => {
    const organizations = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { log, ask } = counted(...organizations);
    await Promise.all(organizations.flatMap((one) => Array.from({ length: 10 }, () => ask(one))));
    expect(log.reads.length).toBe(66);
    expect([log.most, log.ofOne]).toEqual([4, 1]);
  });

  test('of one organisation delay the single page of another by no more than its turn', async () => {
    const { log, ask, known } = counted('many', 'one');
    await known();
    log.reads.length = 0;
    const many = Array.from({ length: 50 }, () => ask('many'));
    await Promise.all([...many, ask('one')]);
    expect(log.reads.indexOf('one')).toBeLessThan(3);
  });

  test('give back their places when nobody waits for them any more', async () => {
    const { log, ask, known } = counted('many');
    await known();
    log.reads.length = 0;
    const gone = new AbortController();
    const pages = Array.from({ length: 50 }, () => ask('many', gone.signal));
    gone.abort();
    const ended = await Promise.allSettled(pages);
    expect(ended.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(48);
    await ask('many');
    expect(log.reads.length).toBeLessThan(3);
  });

  test('are refused with a time to wait once too many of one organisation wait, and not for another one', async () => {
    const { ask, known } = counted('many', 'one');
    await known();
    const pages = Promise.allSettled(Array.from({ length: 80 }, () => ask('many')));
    await ask('one');
    const refused = (await pages).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBe(16);
    expect(refused[0]).toMatchObject({ reason: { problem: 'unavailable', retryAfterSeconds: 2 } });
  });
});

const CSV = `﻿small,big,money,share,ratio,is_it,words,bytes,day,at_time,moment,zoned,id,list,struct,map\r
1,9007199254740993,1.50,0.10000000149011612,nan,true,'=1+1,\\x00,2024-02-29,12:34:56.789000,2024-01-01T00:00:00,2023-12-31T22:00:00+00:00,12345678-1234-1234-1234-123456789abc,"[1, null]","{""x"": 1}","{""k"": 2}"\r
,,,,,,,,,,,,,,,\r
2,-1,-0.01,2,2,false,-5,\\x,1969-12-31,00:00:00,1969-12-31T23:59:59.500000,1999-01-01T00:00:00+00:00,00000000-0000-0000-0000-000000000000,[],"{""x"": null}",{}\r
`;

describe('a file of all rows', () => {
  test('has them as JSON Lines', async () => {
    const { tables, parts } = stored('groups', 'groups');
    const lines = (await text(tables.linesOf(parts, 'jsonl', asking))).trimEnd().split('\n');
    const wanted = rows(0, 5_000).map(([i, word, list]) => ({ i, word, list }));
    expect(lines.map((line) => JSON.parse(line))).toEqual([...wanted, ...wanted]);
  });

  test('has them as CSV, without formulae', async () => {
    const { tables, parts } = stored('forms');
    expect(await text(tables.linesOf(parts, 'csv', asking))).toBe(CSV);
  });

  test('has one head for all parts, and a head where there are no rows', async () => {
    const two = stored('forms', 'forms');
    const [head = '', ...lines] = CSV.split('\r\n');
    expect(await text(two.tables.linesOf(two.parts, 'csv', asking))).toBe(`${CSV}${lines.join('\r\n')}`);
    const none = stored('empty', 'empty');
    expect(head).toMatch(/^﻿small/);
    expect(await text(none.tables.linesOf(none.parts, 'csv', asking))).toBe('﻿a,b\r\n');
    expect(await text(none.tables.linesOf(none.parts, 'jsonl', asking))).toBe('');
  });

  test('is read no further than somebody takes it', async () => {
    const { tables, parts, read } = stored(...Array.from({ length: 40 }, () => 'groups' as const));
    const stream = tables.linesOf(parts, 'jsonl', asking);
    await stream[Symbol.asyncIterator]().next();
    const taken = read.length;
    stream.destroy();
    // A part has a footer and three row groups, and a stream asks for a few pieces ahead.
    expect(taken).toBeLessThan(12);
    await new Promise((resolve) => setImmediate(resolve));
    expect(read.length).toBeLessThan(12);
  });

  test('keeps a row group for its next piece, until others need the room', async () => {
    const words = Array.from({ length: 8 }, () => lengthAnd(Buffer.alloc(1_000_000, 'a')));
    const bytes = parquetFile([[column('c', 6, 0, {}), page({ body: Buffer.concat(words), values: 8 })]], 8);
    const part = { key: 'words', firstRow: 0, rows: 8, bytes: bytes.length };
    const groups = stored('groups', 'groups', 'groups', 'groups');
    const others = groups.parts.map((one) => ({ ...one, firstRow: 0 }));
    const reads: string[] = [];
    let isHanging = Promise.resolve();
    const tables = new Tables({
      read: async (key, range, signal) => {
        reads.push(key);
        if (key === 'words') return Readable.from([bytes.subarray(range?.from, (range?.to ?? 0) + 1)]);
        await isHanging;
        return groups.store.read(key, range, signal);
      },
    });
    const ask = (one: TablePart) => tables.pageOf([one], { from: 0, size: 1 }, { lane: one.key });
    for (const one of others) await ask(one);
    const pieces = tables.linesOf([part], 'jsonl', asking)[Symbol.asyncIterator]();
    const next = async () => {
      reads.length = 0;
      expect((await pieces.next()).done).toBe(false);
      return reads.filter((key) => key === 'words').length;
    };
    // Its footer and its row group.
    expect([await next(), await next()]).toEqual([2, 0]);
    const { promise, resolve } = Promise.withResolvers<void>();
    isHanging = promise;
    reads.length = 0;
    const pages = others.map(ask);
    await eventually('four row groups are fetched', () => reads.length === 4);
    resolve();
    await Promise.all(pages);
    expect(await next()).toBe(1);
    await pieces.return?.();
  });

  test('that somebody leaves is not waited for, however silent its store is', async () => {
    const { store, parts } = stored('groups');
    const silent: (AbortSignal | undefined)[] = [];
    let isSilent = false;
    const tables = new Tables({
      read: async (key, range, signal) => {
        if (!isSilent) return store.read(key, range);
        silent.push(signal);
        return new Promise(() => {});
      },
    });
    // Its footer is known.
    await tables.pageOf(parts, { from: 0, size: 1 }, asking);
    isSilent = true;
    const stream = tables.linesOf(parts, 'jsonl', asking);
    const next = stream[Symbol.asyncIterator]().next();
    next.catch(() => undefined);
    await eventually('its store is silent', () => silent.length > 0);
    stream.destroy();
    expect(silent.map((signal) => signal?.aborted)).toEqual(silent.map(() => true));
  });

  test('ends with a sentence where a part is broken', async () => {
    const { tables, parts } = stored('groups', 'forms');
    await expect(text(tables.linesOf(parts, 'csv', asking))).rejects.toMatchObject({ problem: 'table_unreadable' });
  });

  test('comes in pieces, also where one row group has much text', async () => {
    const words = Buffer.concat(
      Array.from({ length: 40 }, (_, at) => lengthAnd(Buffer.alloc(1_000_000, `${at % 10}`))),
    );
    const bytes = parquetFile([[column('c', 6, 0, {}), page({ body: words, values: 40 })]], 40);
    const store = {
      read: async (_: string, { from, to } = { from: 0, to: 0 }) => Readable.from([bytes.subarray(from, to + 1)]),
    };
    const parts = [{ key: 'words', firstRow: 0, rows: 40, bytes: bytes.length }];
    const pieces: number[] = [];
    for await (const piece of new Tables(store).linesOf(parts, 'jsonl', asking)) pieces.push(piece.length);
    expect(Math.max(...pieces)).toBeLessThan(10_000_000);
    // A million bytes are as many characters of hexadecimal, twice.
    expect(pieces.reduce((sum, size) => sum + size)).toBe(40 * (2_000_000 + '{"c":"\\\\x"}\n'.length));
  });
});

/** What does not compress. */
const noise = (count: number) =>
  int32s(Array.from({ length: count }, (_, at) => Math.imul(at + 1, 0x9e3779b1) ^ (at << 7)));
const lengthAnd = (value: Buffer): Buffer => {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(value.length);
  return Buffer.concat([head, value]);
};

interface Line {
  readonly name: string;
  readonly outcome: string;
  /** What a lie's is. */
  readonly says?: string;
}

/** In a process of its own, which goes on after each of them. The gateway's loop never waits for more than 50 ms (`loop-blocks.test.ts`). */
async function inItsOwnProcess(...args: string[]): Promise<Line[]> {
  const program = fileURLToPath(new URL('testing/read-hostile.ts', import.meta.url));
  const { code, stdout, stderr } = await runCommand(process.execPath, ['--no-warnings', program, ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { longestMs } = lines.pop() as { longestMs: number };
  process.stdout.write(
    `${longestMs.toFixed(1).padStart(8)} ms: the longest turn of the loop, of ${lines.length} hostile tables\n`,
  );
  expect(longestMs).toBeLessThan(50);
  return lines;
}

test('tables that lie get a sentence, or a page, and harm nobody', async () => {
  const outcomes = await inItsOwnProcess('lies');
  expect(outcomes.length).toBeGreaterThan(40);
  expect(outcomes).toEqual(outcomes.map((one) => ({ ...one, outcome: expect.stringMatching(one.says ?? 'none') })));
}, 240_000);

test('tables with changed bytes get a sentence, or a page', async () => {
  const count = isSoak ? 100_000 : 3_000;
  const outcomes = await inItsOwnProcess('fuzz', `${SEED}`, `${count}`);
  expect(outcomes.length).toBe(count);
  const odd = outcomes.filter(
    ({ outcome }) => outcome !== 'page' && !/^The table cannot be read: \w.*\w/.test(outcome),
  );
  expect({ seed: SEED, odd }).toEqual({ seed: SEED, odd: [] });
  // Both happen: what is changed is looked at, and what is looked at is more than the footer.
  expect(new Set(outcomes.map(({ outcome }) => outcome)).size).toBeGreaterThan(10);
}, 240_000);
