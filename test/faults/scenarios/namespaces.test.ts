// Fault 11: a namespace is deleted under live instances, and an organisation with all it holds. All is torn down, and the
// last interval of each ends when its container did.
import { organizationNamespace } from '@gantry/contract/names.ts';
import { expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { meteredRuns } from '../../support/metered-runs.ts';
import { ALONE, type Arena, setArena } from './arena.ts';
import type { Instance } from './instance.ts';
import { allHold } from './invariants.ts';

const PATIENCE_MS = 90_000;
const arena = setArena(ALONE);

/** Two that run and one at rest. */
async function livelyNamespace(name: string): Promise<readonly Instance[]> {
  const namespace = await arena().organization(name);
  const instances = ['busy', 'busier', 'resting'].map((one) => arena().instanceNamed(one, namespace));
  await Promise.all(
    instances.map(async (instance) => {
      await instance.create();
      await instance.reaches('running');
    }),
  );
  await instances[2]?.wish({ power: 'Stopped' });
  await instances[2]?.reaches('stopped');
  return instances;
}

const DELETIONS: Readonly<Record<string, (arena: Arena, name: string) => Promise<void>>> = {
  'the organisation': (arena, name) => arena.removeOrganization(name),
  // The organisation is still wanted: it makes itself an empty one.
  'the namespace alone': async (arena, name) => {
    const path = `/api/v1/namespaces/${organizationNamespace(name)}`;
    const before = await arena.patch(path, {
      metadata: { annotations: { 'gantry.dev/confirm-delete': organizationNamespace(name) } },
    });
    await arena.call({ method: 'DELETE', path });
    const isAnother = async () =>
      ((await arena.get(path))?.metadata.uid ?? before.metadata.uid) !== before.metadata.uid;
    await eventually('there is another namespace of that name', isAnother, PATIENCE_MS);
    await arena.removeOrganization(name);
  },
};

test.each(Object.entries(DELETIONS))('with live instances, %s is deleted', async (_, remove) => {
  const name = arena().freshName('doomed');
  const instances = await livelyNamespace(name);
  await remove(arena(), name);
  for (const instance of instances) {
    expect(instance.now).toBeUndefined();
    allHold(instance);
    const last = instance.history.at(-1)?.object;
    expect(last && meteredRuns(last)).toEqual([expect.objectContaining({ to: expect.any(String) })]);
  }
  expect(await arena().get(`/api/v1/namespaces/${organizationNamespace(name)}`)).toBeUndefined();
});
