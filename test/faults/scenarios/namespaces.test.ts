// Fault 11: a namespace is deleted under live instances, and an organisation with all it holds. All is torn down, and the
// last interval of each ends when its container did.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { meteredRuns } from '../../support/metered-runs.ts';
import { ALONE, type Arena, setArena } from './arena.ts';
import { type Instance, SMALL } from './instance.ts';
import { allHold } from './invariants.ts';
import { asideFor, hostBecomes, isActive, joinNode, leaveNode, rent } from './rented-node.ts';
import { SimulatedAgent } from './simulated-agent.ts';

const PATIENCE_MS = 90_000;
const arena = setArena(ALONE);

let agent: SimulatedAgent;
beforeAll(async () => {
  agent = await SimulatedAgent.join(arena(), arena().freshName('agent'));
});
afterAll(() => agent?.leave());

const toSave = ({ conditions }: NonNullable<GpuInstance['status']>, reason: string): boolean =>
  conditions?.some((one) => one.type === 'RootKept' && one.reason === reason) ?? false;

/** The instance's state when its namespace is deleted. On the agent's node an ended container is held until it is saved. */
const STATES: Readonly<Record<string, (instance: Instance) => Promise<unknown>>> = {
  running: async () => {},
  resting: async (instance) => {
    await instance.wish({ power: 'Stopped' });
    await instance.reaches('stopped');
  },
  saving: async (instance) => {
    await instance.wish({ power: 'Stopped' });
    await instance.becomes('being saved', ({ status }) => toSave(status ?? {}, 'SavingRoot'));
  },
  hibernating: async (instance) => {
    await instance.wish({ power: 'Hibernated' });
    await instance.becomes('being moved', ({ status }) => status?.reason === 'SavingHome');
  },
};

/** With a disk, and a host with its own node. */
async function livelyNamespace(name: string): Promise<readonly Instance[]> {
  const namespace = await arena().organization(name);
  const disk = { apiVersion: API_VERSION, kind: 'DataDisk', metadata: { name: 'data' }, spec: { sizeGi: 1 } };
  await arena().call({ method: 'POST', path: `/apis/${API_VERSION}/namespaces/${namespace}/datadisks`, body: disk });
  await joinNode(arena(), name);
  await rent(arena(), namespace, name);
  await hostBecomes(arena(), [namespace, name], 'active', isActive);
  agent.carriesOut = ({ spec, metadata: { namespace: of } }) =>
    of !== namespace || (spec.of === 'Root' && spec.instance !== 'saving');
  const onAgent = { gpu: { ...SMALL.gpu, model: agent.node } };
  const places: Readonly<Record<string, Parameters<Instance['create']>[0]>> = {
    running: { ...onAgent, disks: [{ name: 'data', mountPath: '/data' }] },
    saving: onAgent,
    hibernating: onAgent,
    resting: { host: name, gpu: { ...SMALL.gpu, model: name } },
  };
  return Promise.all(
    Object.entries(STATES).map(async ([state, brings]) => {
      const instance = arena().instanceNamed(state, namespace);
      await instance.create(places[state]);
      await instance.reaches('running');
      await brings(instance);
      return instance;
    }),
  );
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

test.each(Object.entries(DELETIONS))(
  'with instances in all states, a disk and a host, %s is deleted',
  async (_, remove) => {
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
    expect(await asideFor(arena(), name)).toEqual({});
    await leaveNode(arena(), name);
  },
);
