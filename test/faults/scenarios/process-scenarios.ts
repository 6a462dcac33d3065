// Lives of a DataProcess, of a FineTune and of an Evaluation to crash in: their inputs are listed, their worker waits for them, they are suspended, resumed
// and deleted while it waits.
import type { DataProcess } from '@gantry/contract/kinds/data-process.ts';
import type { Evaluation } from '@gantry/contract/kinds/evaluation.ts';
import type { FineTune } from '@gantry/contract/kinds/fine-tune.ts';
import type { Scenario } from '../crash-scenarios.ts';
import type { Arena } from './arena.ts';
import type { Subject } from './subject.ts';
import { type SubjectLife, subjectScenario } from './subject-scenario.ts';

/** What the gateway lists, but the run. */
const FILES = { digest: 'a'.repeat(64), bytes: 1 };
const PROCESSED = { ...FILES, dataset: 'dst-in', version: 1 };
export const TRAINED = {
  ...{ ...FILES, baseBytes: 1, model: 'mdl-base', version: 'v1' },
  datasets: [{ dataset: 'dst-in', version: 1 }],
};
const ASKED = {
  ...{ ...FILES, work: 'b'.repeat(64), subjects: [{ model: 'mdl-base', version: 'v1' }] },
  datasets: [{ dataset: 'dst-in', version: 1 }],
};

/** As the gateway, which nobody plays any further: no file comes. */
export async function listInputs<T extends DataProcess | FineTune | Evaluation>(
  one: Subject<T>,
  { arena, inputs, run, limitMs }: { arena: Arena; inputs: object; run: number; limitMs?: number },
): Promise<void> {
  await one.becomes(`recorded as run ${run}`, ({ status }) => status?.run?.seq === run, limitMs);
  await arena.patch(`${one.path}/status`, { status: { inputs: { ...inputs, run } } });
}

async function listed<T extends DataProcess | FineTune | Evaluation>(
  one: Subject<T>,
  arena: Arena,
  inputs: object,
  run: number,
): Promise<void> {
  await listInputs(one, { arena, inputs, run });
  // Not before the operator says so: on the way there it says one thing or another, and all ends are compared.
  await one.becomes(
    `at its worker of run ${run}`,
    ({ status }) => status?.reason === 'PullingImage' && status.run?.seq === run && one.living.length === 1,
  );
}

const lifeOf = <T extends DataProcess | FineTune | Evaluation>(name: string, inputs: object): SubjectLife<T> => ({
  name,
  run: async (one, arena) => {
    await listed(one, arena, inputs, 1);
    await one.wish({ power: 'Suspended' });
    await one.reaches('suspended');
    await one.wish({ power: 'Running' });
    await listed(one, arena, inputs, 2);
  },
});

export const processScenario = (arena: () => Arena, namespace: () => string): Scenario =>
  subjectScenario(lifeOf<DataProcess>('process', PROCESSED), arena, (place) => arena().process(place, namespace()));

export const tuneScenario = (arena: () => Arena, namespace: () => string): Scenario =>
  subjectScenario(lifeOf<FineTune>('tune', TRAINED), arena, (place) => arena().tuning(place, namespace()));

export const evaluationScenario = (arena: () => Arena, namespace: () => string): Scenario =>
  subjectScenario(lifeOf<Evaluation>('evaluation', ASKED), arena, (place) => arena().evaluation(place, namespace()));
