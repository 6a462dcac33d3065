// If an operator is killed while containers end, it still bills them to the second: their Pods wait for it, because a Pod may go
// only once its end is recorded.
import { beforeAll, expect, test } from '@jest/globals';
import { mustCallApi } from '../../hack/api-call.ts';
import { meteredRuns } from '../support/metered-runs.ts';
import { expectInOrder, intervalOf } from './metering.ts';
import { setStage, type Tenant } from './stage.ts';

const stage = setStage();
let acme: Tenant;
beforeAll(async () => {
  acme = await stage().organization('metered');
});

test('ends that no operator saw are exact, and every run is counted once', async () => {
  const [exits, isDeleted, isStopped] = await Promise.all([
    acme.instance('exits', {
      command: ['sh', '-c', 'until [ -e /root/end ]; do sleep 0.2; done; rm /root/end; exit 3'],
    }),
    acme.instance('deleted'),
    acme.instance('stopped'),
  ]);
  for (const dev of [exits, isDeleted, isStopped]) await dev.reaches('running');

  stage().operator.kill();
  await stage().operator.exited();
  await exits.sh('touch /root/end');
  await deletePod(isDeleted.namespace, isDeleted.podName(1));
  await isStopped.wish({ power: 'Stopped' });
  await exits.podBecomes('ended', ({ status }) => status?.phase === 'Failed', 1);
  const held = await isDeleted.podBecomes(
    'ended',
    ({ status }) => status?.phase !== 'Running' && status?.phase !== 'Pending',
    1,
  );
  expect(held.metadata.finalizers).toEqual(['gantry.dev/metered']);
  await stage().operator.restart();

  const again = await exits.becomes(
    'running again',
    ({ status }) => status.phase === 'running' && status.run?.seq === 2,
  );
  expect(again.status.run).toMatchObject({ cause: 'crash', exits: 1, lastExit: 'exit code 3' });
  expect(meteredRuns(again)).toEqual([await intervalOf(exits, 1), await intervalOf(exits, 2)]);

  const replaced = await isDeleted.becomes(
    'running again',
    ({ status }) => status.phase === 'running' && status.run?.seq === 2,
  );
  expect(replaced.status.run).toMatchObject({ cause: 'crash', exits: 0, lastExit: 'Deleted' });
  expect(meteredRuns(replaced)).toEqual([await intervalOf(isDeleted, 1), await intervalOf(isDeleted, 2)]);

  const resting = await isStopped.reaches('stopped');
  expect(resting.status.run).toMatchObject({ seq: 1, cause: 'first' });
  expect(meteredRuns(resting)).toEqual([await intervalOf(isStopped, 1)]);

  for (const seen of [again, replaced, resting]) expectInOrder(seen);
});

async function deletePod(namespace: string, name: string): Promise<void> {
  await mustCallApi(stage().cluster, { method: 'DELETE', path: `/api/v1/namespaces/${namespace}/pods/${name}` });
}
