// Faults 1 and 2: the operator is killed before and after each of its writes, deletes included. `make soak` tries every crash.
// CI plays half of the scenarios, and of each the twentieth of its crashes that GANTRY_SEED picks: forty seeds in a row try all.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isSoak, isTurn } from '../../support/soak.ts';
import { seedOf } from '../crash-points.ts';
import { crashEverywhere } from '../crash-scenarios.ts';
import { A_TRAINER, ALONE, setArena } from './arena.ts';
import { diskScenario } from './disk-scenarios.ts';
import { hostScenario } from './host-scenarios.ts';
import { imageScenario } from './image-scenarios.ts';
import { instanceScenarios } from './instance-scenarios.ts';
import { jobScenarios } from './job-scenarios.ts';
import { organizationScenario } from './organization-scenarios.ts';
import { evaluationScenario, processScenario, tuneScenario } from './process-scenarios.ts';
import { savedScenarios } from './saved-scenarios.ts';
import { serviceScenarios } from './service-scenarios.ts';
import { SimulatedAgent } from './simulated-agent.ts';

const HOUR_MS = 3_600_000;
const share = isSoak ? 'all' : 'twentieth';
const SCENARIO_TURNS = 2;
const seed = seedOf(process.env, new Date());
/** The same for all turns: else a scenario that is played every other day would never come to half of its crashes. */
const round = Math.floor(seed / SCENARIO_TURNS);

/** No node has it, so the probe of a network makes its first Pod and waits: how far it comes is no matter of chance. */
const NO_PROBE = '--probe-image=registry.gantry.internal/official/none:1';
const arena = setArena(ALONE, NO_PROBE, A_TRAINER);

/** One GPU each for a few instances that overlap, and not two for any. */
const TIGHT = { quota: { gpus: 1, cores: 100, memoryGi: 100, storageGi: 100, instances: 100 } };
/** A host has eight cards. */
const ROOMY = { quota: { ...TIGHT.quota, gpus: 8 } };
let tight = '';
let roomy = '';
let agent: SimulatedAgent;
beforeAll(async () => {
  tight = await arena().organization('tight', TIGHT);
  roomy = await arena().organization('roomy', ROOMY);
  agent = await SimulatedAgent.join(arena(), arena().freshName('agent'));
});
afterAll(() => agent?.leave());

/** Points that a run may never come to: a crash can save a status between two others. */
const MOST_MISSED = 2;

const SCENARIOS = [
  ...instanceScenarios(arena, () => tight),
  ...savedScenarios(
    arena,
    () => tight,
    () => agent,
  ),
  organizationScenario(arena),
  imageScenario(arena, () => tight),
  hostScenario(arena, () => roomy),
  diskScenario(arena, () => tight),
  ...jobScenarios(arena, () => roomy),
  ...serviceScenarios(arena, () => roomy),
  processScenario(arena, () => roomy),
  tuneScenario(arena, () => roomy),
  evaluationScenario(arena, () => roomy),
];

test.each(SCENARIOS.filter((_, index) => isSoak || isTurn(index, SCENARIO_TURNS, 1)))(
  `killed at any write of its $name, the operator ends where it would have ended, GANTRY_SEED=${seed}`,
  async (scenario) => {
    const { proxy, operator } = arena();
    const report = await crashEverywhere(scenario, { proxy, operator, share, seed: round });
    expect(report.failures).toEqual([]);
    expect(report.missed.length).toBeLessThanOrEqual(MOST_MISSED);
  },
  share === 'all' ? HOUR_MS : undefined,
);
