// The notebook's token over an instance's runs: in its Secret, in its Pod's environment, and in no status.
import type { GpuInstance, GpuInstanceStatus } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { expect, test } from '@jest/globals';
import { gpuInstanceController } from './plan.ts';
import { at, context, gpuInstance, seen } from './testing/fixtures.ts';

const NOTEBOOK = { notebookPort: 8888 };
const atRest = (settledPower: string, notebookRun?: number): GpuInstanceStatus => ({
  phase: 'stopped',
  everReady: true,
  rebootCount: 0,
  settledPower,
  ...(notebookRun !== undefined && { notebookRun }),
  run: { seq: 1, cause: 'first', readyAt: at(6), endedAt: at(60) },
});
const plan = (spec: Partial<GpuInstance['spec']>, status?: GpuInstanceStatus) => {
  const owner = gpuInstance({ spec: { ...NOTEBOOK, ...spec }, ...(status && { status }) });
  return gpuInstanceController.plan(owner, seen(), context(70));
};
const tokenIn = ({ unseen = [] }: ReturnType<typeof plan>) => {
  const [secret] = unseen as unknown as { metadata: { name: string }; data: { token?: string } }[];
  return secret && [secret.metadata.name, secret.data.token && atob(secret.data.token)];
};
const keyed = (run: number, count = 0) => `keyed notebook/uid-dev/${run}.${count}`;

test.each([
  ['the first run brings one', {}, undefined, 1, keyed(1)],
  ['a resume keeps it', {}, atRest('Stopped', 1), 1, keyed(1)],
  ['a start after a shutdown brings another', {}, atRest('ShutDown'), 2, keyed(2)],
  ['so does a restore', {}, atRest('Hibernated'), 2, keyed(2)],
  ['stopped it is kept', { power: 'Stopped' }, atRest('Stopped', 1), 1, keyed(1)],
  ['a rotation makes another of it', { power: 'Stopped', notebookTokenCount: 2 }, atRest('Stopped', 1), 1, keyed(1, 2)],
  ['shut down it is dropped', { power: 'ShutDown' }, atRest('Stopped', 1), undefined, undefined],
  ['hibernated too', { power: 'Hibernated' }, atRest('Stopped', 1), undefined, undefined],
] as const)('%s', (_sentence, spec, status, run, token) => {
  const made = plan(spec, status);
  expect(made.status?.notebookRun).toBe(run);
  expect(tokenIn(made)).toEqual(['dev-notebook', token]);
  expect(JSON.stringify(made.status)).not.toContain('keyed');
});

test.each([
  ['without a notebook there is none', { notebookPort: undefined }],
  ["the tenant's own takes its place", { env: [{ name: 'JUPYTER_TOKEN', value: 'own' }] }],
] as const)('%s', (_sentence, spec) => {
  const status = { rebootCount: 0, notebookRun: 1, run: { seq: 1, cause: 'first' as const } };
  const made = plan(spec as never, status);
  expect(tokenIn(made)?.[1]).toBeUndefined();
  expect(JSON.stringify(made.create)).not.toContain('secretKeyRef');
});

test('the container takes it from the Secret, before the variables that may name it', () => {
  const env = [{ name: 'URL', value: 'http://localhost:8888/?token=$(JUPYTER_TOKEN)', expand: true }];
  const { create = [] } = plan({ env }, { rebootCount: 0, notebookRun: 1, run: { seq: 1, cause: 'first' } });
  expect((create[0] as Pod).spec?.containers[0]?.env?.slice(0, 2)).toEqual([
    { name: 'JUPYTER_TOKEN', valueFrom: { secretKeyRef: { name: 'dev-notebook', key: 'token' } } },
    { name: 'URL', value: 'http://localhost:8888/?token=$(JUPYTER_TOKEN)' },
  ]);
});
