// A thousand instances from nothing to nothing on 200 simulated nodes, a few times over: rows A1, A2 and half of A4.
import { emptied, names, SIMULATED, withCompany } from './company.ts';
import { type Stage, sized } from './stage.ts';
import { requestTable, writeBudget } from './write-budget.ts';

const MANY = sized(1000);
const ROUNDS = 3;
const NODES = sized(200);
const MINUTE = 60_000;

export interface Round {
  readonly instancesPerSecond: number;
  /** The operator's CPU per instance: until it runs, and for its whole life. */
  readonly cpuMsToRunning: number;
  readonly cpuMs: number;
  readonly ownWrites: number;
  readonly childWrites: number;
}

export async function thousandLives(stage: Stage): Promise<readonly Round[]> {
  return withCompany(stage, { name: 'lives', instances: MANY, nodes: NODES }, async ({ operator, fleet }) => {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = await operator.metrics();
      const began = performance.now();
      await fleet.create(names(`life-${round}`, MANY), SIMULATED);
      await fleet.reached('running', MANY, 10 * MINUTE);
      const seconds = (performance.now() - began) / 1000;
      const running = await operator.metrics();
      await emptied(fleet);
      const after = await operator.metrics();
      const requests = after.requestsSince(before);
      console.log(`${requestTable(requests, MANY)}\n`);
      const { own, children } = writeBudget(requests);
      rounds.push({
        instancesPerSecond: MANY / seconds,
        cpuMsToRunning: ((running.cpuSeconds - before.cpuSeconds) * 1000) / MANY,
        cpuMs: ((after.cpuSeconds - before.cpuSeconds) * 1000) / MANY,
        ownWrites: own / MANY,
        childWrites: children / MANY,
      });
    }
    return rounds;
  });
}
