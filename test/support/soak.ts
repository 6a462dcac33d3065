// Tests that are worth minutes only from time to time. `make soak` sets GANTRY_SOAK=1 and runs all of them.
import { globSync } from 'node:fs';
import { test } from '@jest/globals';
import { seedOf } from '../faults/crash-points.ts';
import { SEEDS } from '../runner/turns.ts';

export const isSoak = Boolean(process.env.GANTRY_SOAK);

const TURNS = 3;
/** Files of `machine` take turns, one a run: what takes turns within one of them changes after so many seeds. */
export const SEEDS_OF_MACHINE = globSync('test/machine/*.test.ts').length;
const seed = seedOf(process.env, new Date());

/** A test of the long run alone. `limitMs`: longer than its group's. */
export function soakTest(name: string, run: () => Promise<void>, limitMs?: number): void {
  if (isSoak) test(name, run, limitMs);
}

/**
 * Tests that wait out a minute of a third party, such as a registry or Kubernetes: a run includes those whose turn it is, and
 * three turns of their files include all. Each declares its turn, so that no run has two of them at once by chance.
 */
export function turnTest(turn: 0 | 1 | 2, name: string, run: () => Promise<void>): void {
  if (isSoak || isTurn(turn, TURNS)) test(name, run);
  else console.log(`its turn comes with another GANTRY_SEED than ${seed}: ${name}`);
}

/** Whether it is the turn's turn in this run, of so many that follow each other; each lasts until every file has had its own. */
export const isTurn = (turn: number, turns: number, seeds = SEEDS): boolean =>
  Math.floor(seed / seeds) % turns === turn % turns;

/**
 * For lists that only the long run examines completely: every n-th entry, different ones with the next seed. `seeds`: 1 in a file that every
 * run plays.
 */
export function inTurn<T>(what: string, all: readonly T[], turns: number, seeds = SEEDS): readonly T[] {
  if (isSoak) return all;
  console.log(`${what}: a share of ${all.length}, one of ${turns} that take turns; GANTRY_SEED=${seed}`);
  return all.filter((_, index) => isTurn(index, turns, seeds));
}
