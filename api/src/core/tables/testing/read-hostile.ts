// Reads hostile tables as the gateway does, in a process of its own: a reader that brings its process down brings this one down, too.
// `node read-hostile.ts lies` reads those of HOSTILE_TABLES; `node read-hostile.ts fuzz SEED COUNT` sound ones with changed bytes. A
// line says what came of each; the last one what the longest turn of the loop was, in ms of CPU.
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { Problem } from '@gantry/contract/http/problem.ts';
import { type TablePart, Tables } from '../tables.ts';
import { HOSTILE_TABLES } from './hostile-tables.ts';
import { pageIn } from './read-json.ts';

let longestMs = 0;
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
let before = cpuMs();
const turn = () => {
  const now = cpuMs();
  longestMs = Math.max(longestMs, now - before);
  before = now;
};

/** Without what making the bytes takes. */
async function outcomeOf(bytes: Buffer, rows: number): Promise<string> {
  const objects = {
    read: async (_: string, { from, to } = { from: 0, to: bytes.length - 1 }) =>
      Readable.from([bytes.subarray(from, to + 1)]),
  };
  const tables = new Tables(objects);
  const parts: TablePart[] = [{ key: 'k', firstRow: 0, rows, bytes: bytes.length }];
  before = cpuMs();
  const watch = setInterval(turn, 1);
  try {
    const asked = { from: Math.max(0, rows - 100), size: 100 };
    const { rows: found } = pageIn(await tables.pageOf(parts, asked, { lane: 'acme' }));
    let lines = 0;
    // A bomb's lines have no end worth waiting for.
    for await (const piece of tables.linesOf(parts, 'jsonl', { lane: 'acme' })) {
      lines += piece.length;
      if (lines > MOST_LINES) break;
    }
    return found.length === Math.min(100, rows) ? 'page' : `a page of ${found.length} rows`;
  } catch (error) {
    return error instanceof Problem && error.problem === 'table_unreadable' ? error.message : `${error}`;
  } finally {
    turn();
    clearInterval(watch);
  }
}
const MOST_LINES = 6 * 1024 * 1024;
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function lies(): Promise<void> {
  for (const [name, make] of Object.entries(HOSTILE_TABLES)) {
    const { bytes, rows, says } = make();
    say({ name, outcome: await outcomeOf(bytes, rows), says });
  }
}

/** What is changed in compressed pages mostly ends at zstd: a file without compression comes as often as all others. */
const SOUND = { forms: 3, groups: 5_000, long: 1, empty: 0, plain: 150 };

async function fuzz(seed: number, count: number): Promise<void> {
  const next = numbersOf(seed);
  const files = Object.entries(SOUND).map(([name, rows]) => ({
    name,
    rows,
    bytes: readFileSync(new URL(`${name}.parquet`, import.meta.url)),
  }));
  for (let round = 0; round < count; round++) {
    const { name, rows, bytes } = (next(2) === 0 ? files.at(-1) : files[next(files.length)]) as (typeof files)[number];
    const changed = changedBytes(Buffer.from(bytes), next);
    say({ name: `${name} ${round}`, outcome: await outcomeOf(changed, rows) });
  }
}

const ODD = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

/** One to four changes, before the footer or in it: a bit, a byte, a stretch moved, doubled, or gone. Most keep what follows in place. */
function changedBytes(bytes: Buffer, next: (below: number) => number): Buffer {
  let changed = bytes;
  const footer = changed.readUInt32LE(changed.length - 8) + 8;
  const isBefore = next(3) > 0;
  for (let left = 1 + next(4); left > 0; left--) {
    const at = Math.max(0, isBefore ? next(changed.length - footer) : changed.length - 1 - next(footer));
    const size = 1 + next(16);
    const way = next(12);
    if (way <= 4) changed[at] = (changed[at] ?? 0) ^ (1 << next(8));
    else if (way <= 6) changed[at] = ODD[next(ODD.length)] ?? 0;
    else if (way <= 8) changed[at] = next(256);
    else if (way <= 10) changed.copy(changed, next(changed.length), at, at + size);
    else
      changed = Buffer.concat([
        changed.subarray(0, at),
        ...(next(2) === 0 ? [changed.subarray(Math.max(0, at - size), at)] : []),
        changed.subarray(at + size * next(2)),
      ]);
  }
  return changed;
}

/** Whole numbers from a seed (mulberry32). */
function numbersOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const [what, seed = '0', count = '0'] = process.argv.slice(2);
// Code that runs for the first time is compiled.
await outcomeOf(readFileSync(new URL('forms.parquet', import.meta.url)), 3);
longestMs = 0;
await (what === 'lies' ? lies() : fuzz(Number(seed), Number(count)));
say({ longestMs });
