// Row A5: from an instance to its Pod, at a steady pace and in a burst.
import { setTimeout as elapse } from 'node:timers/promises';
import { emptied, names, SIMULATED, withCompany } from './company.ts';
import { Sightings } from './sightings.ts';
import { type Stage, sized } from './stage.ts';

const PACE_PER_SECOND = 20;
const PACED = sized(600);
const BURST = sized(300);
const NODES = sized(200);
const MINUTE = 60_000;

export interface FirstPod {
  readonly pacedMs: readonly number[];
  readonly burstMs: readonly number[];
}

export async function firstPod(stage: Stage): Promise<FirstPod> {
  return withCompany(stage, { name: 'pace', instances: PACED, nodes: NODES }, async (company) => {
    const { fleet } = company;
    const sightings = new Sightings(company);
    const paced = names('paced', PACED);
    const began = performance.now();
    await Promise.all(
      paced.map(async (name, index) => {
        await elapse(Math.max(0, began + (index * 1000) / PACE_PER_SECOND - performance.now()));
        await fleet.createOne(name, SIMULATED);
      }),
    );
    const pacedMs = await sightings.latencies(paced, MINUTE);
    await fleet.reached('running', PACED, 5 * MINUTE);
    await emptied(fleet);

    const burst = names('burst', BURST);
    await Promise.all(burst.map((name) => fleet.createOne(name, SIMULATED)));
    const burstMs = await sightings.latencies(burst, MINUTE);
    await fleet.reached('running', BURST, 5 * MINUTE);
    await emptied(fleet);
    return { pacedMs, burstMs };
  });
}
