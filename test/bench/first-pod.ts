// Row A5: from an instance to its Pod, at a steady pace and in a burst; and what the API server alone takes to create the same
// claim and Pod at that pace.
import { setTimeout as elapse } from 'node:timers/promises';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { inParallel } from '@gantry/kube/in-parallel.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { CLAIM } from '../../operator/src/resources.ts';
import { bare, type Model, modelOf } from './bare-pod.ts';
import { type Company, emptied, names, SIMULATED, withCompany } from './company.ts';
import { Sightings } from './sightings.ts';
import { type Stage, sized } from './stage.ts';

const PACE_PER_SECOND = 20;
const PACED = sized(600);
const BURST = sized(300);
const NODES = sized(200);
const MINUTE = 60_000;

export interface FirstPod {
  readonly pacedMs: readonly number[];
  /** The two requests alone, without an operator that has anything to do. */
  readonly bareMs: readonly number[];
  readonly burstMs: readonly number[];
}

export async function firstPod(stage: Stage): Promise<FirstPod> {
  return withCompany(stage, { name: 'pace', instances: PACED, nodes: NODES }, async (company) => {
    const { fleet } = company;
    const sightings = new Sightings(company);
    const paced = names('paced', PACED);
    await atPace(paced, (name) => fleet.createOne(name, SIMULATED));
    const pacedMs = await sightings.latencies(paced, MINUTE);
    await fleet.reached('running', PACED, 5 * MINUTE);
    const model = await modelOf(company, names('paced', 1)[0] ?? '');
    await emptied(fleet);

    const burst = names('burst', BURST);
    await Promise.all(burst.map((name) => fleet.createOne(name, SIMULATED)));
    const burstMs = await sightings.latencies(burst, MINUTE);
    await fleet.reached('running', BURST, 5 * MINUTE);
    await emptied(fleet);
    const bareMs = await bareTimes(company, model);
    return { pacedMs, bareMs, burstMs };
  });
}

async function atPace(all: readonly string[], create: (name: string) => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await Promise.all(
    all.map(async (name, index) => {
      await elapse(Math.max(0, began + (index * 1000) / PACE_PER_SECOND - performance.now()));
      await create(name);
    }),
  );
}

async function bareTimes({ fleet: { client }, pods }: Company, model: Model): Promise<readonly number[]> {
  const times: number[] = [];
  const made: KubeObject[][] = [];
  await atPace(names('bare', PACED), async (name) => {
    const began = performance.now();
    const claim = await client.create(CLAIM, bare(model.claim, name));
    const pod = await client.create(pods, bare(model.pod, name));
    times.push(performance.now() - began);
    made.push([pod, claim]);
  });
  await inParallel(made, 16, async ([pod, claim]) => {
    if (pod) await client.delete(pods, { ...targetOf(pod), gracePeriodSeconds: 1 });
    if (claim) await client.delete(CLAIM, targetOf(claim));
  });
  return times;
}
