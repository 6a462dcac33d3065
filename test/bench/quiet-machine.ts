// Whether others leave the machine to us.
import { cpus } from 'node:os';
import { setTimeout as elapse } from 'node:timers/promises';

/** The share of processor time that others may use while a time is measured. */
export const MOST_TAKEN = 0.15;

const LOOK_MS = 5_000;
const PATIENCE_MS = 10 * 60_000;

/** Waits a while for a quiet machine. Resolves with the share of the processors' time that others took at the last look. */
export async function quietMachine(say: (text: string) => void): Promise<number> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  let hasSaid = false;
  for (;;) {
    const taken = await takenNow();
    if (taken <= MOST_TAKEN || performance.now() > giveUpAt) return taken;
    if (!hasSaid) say(`others take ${Math.round(taken * 100)} % of the machine: waiting for at most ten minutes`);
    hasSaid = true;
  }
}

async function takenNow(): Promise<number> {
  const before = spent();
  await elapse(LOOK_MS);
  const after = spent();
  return (after.busy - before.busy) / (after.all - before.all);
}

/** Over all processors since the machine started, in milliseconds. */
function spent(): { busy: number; all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const all = times.flatMap((each) => Object.values(each)).reduce((sum, ms) => sum + ms, 0);
  return { busy: all - times.reduce((sum, { idle }) => sum + idle, 0), all };
}
