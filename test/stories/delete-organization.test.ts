// An Organization deleted with everything in it alive: each run is stopped and billed to its last second before its Pod goes,
// and nothing of it stays on the cluster.
import { expect, test } from '@jest/globals';
import { meteredRuns } from '../support/metered-runs.ts';
import { expectInOrder, intervalOf } from './metering.ts';
import { setStage } from './stage.ts';

const stage = setStage();

test('an organisation is deleted with live instances: all are billed to the end, and nothing is left', async () => {
  const acme = await stage().organization('doomed', { members: [{ account: 'ada', role: 'owner' }] });
  const [running, stopped, broken] = await Promise.all([
    acme.instance('running'),
    acme.instance('stopped'),
    acme.instance('broken', { image: 'registry.gantry.internal/official/none:1' }),
  ]);
  await running.reaches('running');
  await stopped.reaches('running');
  await stopped.wish({ power: 'Stopped' });
  await stopped.reaches('stopped');
  await broken.reaches('createFailed');

  const unconfirmed = await stage().kubectl.run(['delete', 'organization', acme.id]);
  expect(unconfirmed.stderr).toContain(
    `This deletes what tenants keep. To delete it anyway, first add the annotation gantry.dev/confirm-delete=${acme.id}`,
  );

  await acme.delete();
  await acme.isGone();
  for (const dev of [running, stopped, broken]) await dev.isGone();

  const last = running.last;
  expect(meteredRuns(last)).toEqual([await intervalOf(running, 1)]);
  expect(meteredRuns(last)[0]).toHaveProperty('to', running.times(1).finishedAt);
  expectInOrder(last);
  expect(meteredRuns(stopped.last)).toEqual([await intervalOf(stopped, 1)]);
  expect(meteredRuns(broken.last)).toEqual([]);
  expect(running.phases.slice(-2)).toEqual(['running', 'releasing']);

  expect(await stage().kubectl.get('namespace', acme.namespace)).toBeUndefined();
  expect(await volumesOf(acme.namespace)).toEqual([]);
});

async function volumesOf(namespace: string): Promise<string[]> {
  const format = 'jsonpath={range .items[*]}{.spec.claimRef.namespace}/{.spec.claimRef.name}{"\\n"}{end}';
  const all = await stage().kubectl.must(['get', 'persistentvolumes', '--output', format]);
  return all.split('\n').filter((line) => line.startsWith(`${namespace}/`));
}
