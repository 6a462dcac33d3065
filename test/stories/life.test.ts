// The life of an instance as its owner lives it: one member of an organisation, kubectl, and nobody's help.
import { expect, test } from '@jest/globals';
import { gpuInstance } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { SMALL, setStage } from './stage.ts';

const stage = setStage();

test('an instance lives from create to release, keeps its home, and leaves nothing behind', async () => {
  const acme = await stage().organization('life', { members: [{ account: 'ada', role: 'member' }] });
  const ada = await acme.kubectlAs('ada');
  const change = (spec: object) =>
    ada.must(['patch', 'gpuinstance', 'dev', '--type=merge', '--patch', JSON.stringify({ spec })]);
  const inside = (line: string) => dev.sh(line, ada);

  const dev = acme.known('dev');
  const gpu = { model: 'Tesla-T4', count: 1 };
  await ada.must(['apply', '-f', '-'], gpuInstance({ name: 'dev', spec: { ...SMALL, creator: 'ada', gpu } }));
  expect((await dev.reaches('running')).status).toMatchObject({
    reason: 'Running',
    message: 'The instance is running.',
    health: 'normal',
    address: `dev.instances.${acme.namespace}.svc`,
    run: { seq: 1, cause: 'first' },
  });
  await inside('echo kept > /root/notes');

  await change({ power: 'Stopped' });
  expect((await dev.reaches('stopped')).status).toMatchObject({ reason: 'AtRest', settledPower: 'Stopped' });
  await dev.podIsGone(1);

  await change({ power: 'Running' });
  await dev.reaches('resuming');
  const resumed = await dev.reaches('running');
  expect(resumed.status.run).toMatchObject({ seq: 2, cause: 'resume' });
  expect(resumed.status).not.toHaveProperty('settledPower');
  expect(await inside('cat /root/notes')).toBe('kept');

  await change({ rebootCount: 1 });
  await dev.reaches('hard_rebooting');
  expect((await dev.reaches('running')).status.run).toMatchObject({ seq: 3, cause: 'hardReboot' });
  expect(await inside('cat /root/notes')).toBe('kept');

  await change({ memoryGi: 0.25, env: [{ name: 'GREETING', value: 'hello' }] });
  await dev.reaches('update');
  expect((await dev.reaches('running')).status.run).toMatchObject({ seq: 4, cause: 'update' });
  expect(await inside('echo $GREETING')).toBe('hello');
  expect(dev.pod().spec?.containers[0]?.resources?.limits?.memory).toBe('256Mi');

  const early = await ada.run(['delete', 'gpuinstance', 'dev']);
  expect(early.stderr).toContain('Instance is not shut down, cannot release. Please shut down and then release.');

  await change({ power: 'ShutDown' });
  expect((await dev.reaches('shutDown')).status).toMatchObject({ reason: 'AtRest', settledPower: 'ShutDown' });

  await change({ power: 'Running' });
  await dev.reaches('starting');
  expect((await dev.reaches('running')).status.run).toMatchObject({ seq: 5, cause: 'start' });
  expect(await inside('cat /root/notes')).toBe('kept');

  await change({ power: 'ShutDown' });
  await dev.reaches('shutDown');
  await ada.must(['delete', 'gpuinstance', 'dev']);
  await eventually('nothing is left of it', async () => expect(await leftovers(acme.namespace)).toEqual([]) ?? true);

  expect(dev.lastingPhases).toEqual(
    [
      ['preparing', 'creating', 'running'],
      ['stopping', 'stopped'],
      ['resuming', 'running'],
      ['hard_rebooting', 'running'],
      ['update', 'running'],
      ['shuttingDown', 'shutDown'],
      ['starting', 'running'],
      ['shuttingDown', 'shutDown'],
    ].flat(),
  );
});

/** An instance's objects in one namespace; its volume, which has no namespace, is identified by its claim's. */
async function leftovers(namespace: string): Promise<string[]> {
  const { kubectl } = stage();
  const kinds = [
    'gpuinstances,pods,persistentvolumeclaims,snapshots,secrets,leases',
    '--selector',
    'gantry.dev/kind!=Organization',
  ];
  const inside = await kubectl.must([
    'get',
    ...kinds,
    '--namespace',
    namespace,
    '--output',
    'name',
    '--ignore-not-found',
  ]);
  const claims = '{range .items[*]}{.spec.claimRef.namespace}/{.metadata.name}{"\\n"}{end}';
  const volumes = await kubectl.must(['get', 'persistentvolumes', '--output', `jsonpath=${claims}`]);
  // The organisation's own, as its namespace is.
  const ofInstances = inside.split('\n').filter((line) => line !== 'secret/gantry-pull');
  return [...ofInstances, ...volumes.split('\n').filter((line) => line.startsWith(`${namespace}/`))].filter(Boolean);
}
