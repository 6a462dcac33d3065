// What is worth minutes only now and then. `make soak` sets GANTRY_SOAK=1 and plays all of it.
import { test } from '@jest/globals';
import { seedOf } from '../faults/crash-points.ts';

export const isSoak = Boolean(process.env.GANTRY_SOAK);

const TURNS = 3;
const seed = seedOf(process.env, new Date());

/** A test of the long run alone. */
export function soakTest(name: string, run: () => Promise<void>): void {
  if (isSoak) test(name, run);
}

/**
 * What waits out a minute of somebody else's, a registry's or Kubernetes': a run plays those whose turn it is, and three seeds
 * in a row play all. Each says for itself when that is, so that no run has to play two beside each other by chance.
 */
export function turnTest(turn: 0 | 1 | 2, name: string, run: () => Promise<void>): void {
  if (isSoak || isTurn(turn, TURNS)) test(name, run);
  else console.log(`its turn comes with another GANTRY_SEED than ${seed}: ${name}`);
}

/** Whether it is the turn's turn in this run, of so many that follow each other; each lasts for so many seeds. */
export const isTurn = (turn: number, turns: number, seeds = 1): boolean =>
  Math.floor(seed / seeds) % turns === turn % turns;

/** Of what is worth looking at whole only in the long run: every n-th, which another with the next seed. */
export function inTurn<T>(what: string, all: readonly T[], turns: number): readonly T[] {
  if (isSoak) return all;
  console.log(`${what}: a share of ${all.length}, one of ${turns} that take turns; GANTRY_SEED=${seed}`);
  return all.filter((_, index) => isTurn(index, turns));
}
