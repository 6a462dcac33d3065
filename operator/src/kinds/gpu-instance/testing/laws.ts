// Laws of the plan as tables: each row is one instance with its observed state, and its key says what follows.
import type { GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import { expect, test } from '@jest/globals';
import type { Plan } from '../../../define-controller.ts';
import { gpuInstanceController } from '../plan.ts';
import { context, gpuInstance, seen } from './fixtures.ts';

/** One row of a table of laws: an instance, its observed state, and its plan. */
export interface Law {
  owner?: Parameters<typeof gpuInstance>[0];
  sees?: Parameters<typeof seen>[0];
  at?: number;
  with?: Parameters<typeof context>[1];
  phase?: string;
  reason?: string;
  says?: string;
  creates?: string[];
  removes?: string[];
  patches?: object[];
  status?: object;
  /** A field of the status that is absent. */
  lacks?: string;
  run?: object;
  intervals?: object[];
  billed?: number;
  condition?: object;
  health?: string;
  settled?: string;
  again?: number;
}

/** intervals.test.ts covers other storage. */
const runsIn = ({ status }: Plan<GpuInstanceStatus>) =>
  (status?.intervals ?? [])
    .filter(({ subjectUID }) => subjectUID !== gpuInstance().metadata.uid)
    .map((one) => ({
      ...one,
      uses: one.uses.filter(({ resource }) => resource !== 'disk' && resource !== 'snapshot'),
    }));

const names = (list: readonly { name?: string; metadata?: { name: string } }[] | undefined) =>
  (list ?? []).map((entry) => entry.metadata?.name ?? entry.name);

/** Plans, and looks at what the row names. */
export function judge(law: Law): Plan<GpuInstanceStatus> {
  const plan = gpuInstanceController.plan(gpuInstance(law.owner), seen(law.sees), context(law.at ?? 70, law.with));
  if (law.phase) expect(plan.status?.phase).toBe(law.phase);
  if (law.reason) expect(plan.status?.reason).toBe(law.reason);
  if (law.says) expect(plan.status?.message).toBe(law.says);
  if (law.creates) expect(names(plan.create)).toEqual(law.creates);
  if (law.removes) expect(names(plan.remove)).toEqual(law.removes);
  if (law.patches) expect((plan.patch ?? []).map(({ body }) => body)).toEqual(law.patches);
  if (law.status) expect(plan.status).toMatchObject(law.status);
  if (law.lacks) expect(plan.status).not.toHaveProperty(law.lacks);
  if (law.run) expect(plan.status?.run).toEqual(law.run);
  if (law.intervals) expect(runsIn(plan)).toMatchObject(law.intervals);
  if (law.health) expect(plan.status?.health).toBe(law.health);
  if (law.billed !== undefined) expect(runsIn(plan)).toHaveLength(law.billed);
  if (law.condition) expect(plan.status?.conditions).toContainEqual(expect.objectContaining(law.condition));
  if (law.settled) expect(plan.status?.settledPower).toBe(law.settled);
  if (law.again !== undefined) expect(plan.againInMs).toBe(law.again);
  return plan;
}

/** A test for each row; its key is the law. */
export const laws = (table: Record<string, Law>): void => {
  test.each(Object.entries(table))('%s', (_sentence, law) => {
    judge(law);
  });
};
