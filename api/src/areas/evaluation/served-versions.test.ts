// What is deployed for a run: once for each version, as whoever began it, and gone once the evaluation is at rest.
import { problem } from '@gantry/contract/http/problem.ts';
import { type Evaluation, evaluation } from '@gantry/contract/kinds/evaluation.ts';
import { type ModelDeployment, modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { kindObject, type MemoryKinds, memoryKinds } from '../../core/kinds/testing/memory-kinds.ts';
import { presentRun } from '../../core/tasks/present-run.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { ServedVersions } from './served-versions.ts';

const NAMESPACE = 'org-acme';
const ASKED = { model: 'mdl-a', version: '1.0' };
const caller = {
  account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: NAMESPACE },
  session: { id: '', kind: 'session', scopes: [], expiresAt: 0 },
} as Caller;
const evaluationIn = (phase: string, run: object, name = 'evl-1') =>
  kindObject(evaluation, name, {
    namespace: NAMESPACE,
    spec: { displayName: 'quality', creator: 'acc-ann' },
    status: { phase, run: { seq: 1, cause: 'first', ...run } },
  });

let kinds: MemoryKinds;
let refuses: Error | undefined;
let versions: ServedVersions;
let known: boolean;
const end = () => AbortSignal.timeout(50);

async function begin(...objects: Parameters<typeof memoryKinds>[0] & object): Promise<void> {
  kinds?.stop();
  kinds = await memoryKinds(objects);
  versions = new ServedVersions({
    kinds: {
      create: (...args) => (refuses ? Promise.reject(refuses) : kinds.store.create(...args)),
      remove: (...args) => kinds.store.remove(...args),
    },
    deployments: (namespace) => kinds.cache.list<ModelDeployment>(modelDeployment, namespace),
    evaluation: (...of) => (known ? kinds.cache.get<Evaluation>(evaluation, ...of) : null),
    clock: systemClock,
    log: { info() {}, warn() {} },
    actor: async ({ creator = 'an owner' }) => creator,
  });
}
beforeEach(async () => {
  refuses = undefined;
  known = true;
  await begin(evaluationIn('preparing', {}));
});
afterEach(() => kinds.stop());

const deployments = () => kinds.cache.list<ModelDeployment>(modelDeployment, NAMESPACE);
const evaluated = () => kinds.cache.get<Evaluation>(evaluation, NAMESPACE, 'evl-1') as Evaluation;
function serve(asked = ASKED, who = caller) {
  const of = presentRun(evaluated());
  if (!of) throw new Error('it has no run');
  return versions.serve(of, who, asked);
}

test('a version is deployed once, as whoever began the run, and another version beside it', async () => {
  const first = await serve();
  expect(await serve(ASKED, { ...caller, account: { ...caller.account, id: 'acc-bob' } })).toEqual(first);
  const [made] = deployments();
  expect(first).toEqual({ deployment: made?.metadata.name, detail: '' });
  expect(made?.spec).toMatchObject({
    ...{ ...ASKED, creator: 'acc-ann', displayName: 'quality: 1.0', servedFor: 'evl-1', power: 'Running', replicas: 1 },
  });
  await serve({ ...ASKED, version: '2.0' });
  expect(deployments()).toHaveLength(2);
});

test('what it cannot be deployed for is told, and what passes is tried again', async () => {
  refuses = problem('quota_exceeded', { what: 'GPUs' } as never);
  expect(await serve()).toMatchObject({ reason: 'VersionRefused', args: { ...ASKED, detail: refuses.message } });
  refuses = problem('unavailable');
  await expect(serve()).rejects.toBe(refuses);
});

test.each<[string, Evaluation['status'] | undefined, number]>([
  ['a run is under way', { phase: 'evaluating', run: { seq: 1, cause: 'first' } } as never, 1],
  ['a run waits to be tried again', { phase: 'starting', run: { seq: 1, cause: 'first', endedAt: 'x' } } as never, 1],
  ['it has ended', { phase: 'success', run: { seq: 1, cause: 'first', endedAt: 'x' } } as never, 0],
  ['it is suspended', { phase: 'suspended', run: { seq: 1, cause: 'first', endedAt: 'x' } } as never, 0],
  ['it is gone', undefined, 0],
])('of what was deployed for an evaluation, that much is left where %s: %#', async (_, status, left) => {
  const own = kindObject(modelDeployment, 'dep-own', { namespace: NAMESPACE, spec: { creator: 'acc-ann' } });
  const made = (namespace: string, name: string) =>
    kindObject(modelDeployment, name, { namespace, spec: { creator: 'acc-ann', servedFor: 'evl-1' } });
  const object = evaluationIn(status?.phase ?? '', status?.run ?? {});
  // The evaluation of that name in another organisation is another one.
  const others = evaluationIn('evaluating', {});
  await begin(
    ...(status ? [object] : []),
    { ...others, metadata: { ...others.metadata, namespace: 'org-other', uid: 'uid-other' } },
    ...[own, made(NAMESPACE, 'dep-made'), made('org-other', 'dep-others')],
  );
  known = false;
  await versions.work(end());
  expect(kinds.cache.list(modelDeployment)).toHaveLength(3);
  known = true;
  await versions.work(end());
  expect(deployments()).toHaveLength(1 + left);
  expect(kinds.cache.list(modelDeployment, 'org-other')).toHaveLength(1);
  if (left === 0) expect(kinds.users).toContain(`system:serviceaccount:${NAMESPACE}:acc-ann`);
});
