// Manual changes behind the operator's back: a Pod is replaced, a home is never silently recreated, labels come back.
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { mustCallApi } from '../../hack/api-call.ts';
import { setStage, type Tenant } from './stage.ts';

const stage = setStage();
let acme: Tenant;
beforeAll(async () => {
  acme = await stage().organization('drift');
});

test.concurrent('a Pod deleted by hand is replaced once it is gone', async () => {
  const dev = await acme.instance('orphaned');
  await dev.reaches('running');
  await remove('pods', dev.podName(1), dev.namespace);
  await dev.podIsGone(1);
  const goneAt = performance.now();
  await dev.podBecomes('made', () => true, 2);
  console.log(`another Pod was there ${Math.round(performance.now() - goneAt)} ms after the old one was gone`);
  await dev.reaches('starting');
  expect((await dev.reaches('running')).status.run).toMatchObject({
    seq: 2,
    cause: 'crash',
    lastExit: 'Deleted',
    exits: 0,
  });
});

test.concurrent('a home deleted by hand is missed by name, and made anew only for a hard reboot', async () => {
  const dev = await acme.instance('robbed');
  await dev.reaches('running');
  await dev.sh('echo precious > /root/notes');
  await dev.wish({ power: 'Stopped' });
  await dev.reaches('stopped');
  await remove('persistentvolumeclaims', `${dev.name}-home`, dev.namespace);

  await dev.wish({ power: 'Running' });
  expect((await dev.reaches('failed')).status).toMatchObject({
    reason: 'HomeLost',
    message: 'The home disk was deleted outside Gantry; a hard reboot creates an empty one.',
  });
  expect(await claimsOf(dev.namespace)).not.toContain(`${dev.name}-home`);

  await dev.wish({ rebootCount: 1 });
  await dev.reaches('hard_rebooting');
  await dev.reaches('running');
  expect(await dev.sh('ls /root')).not.toContain('notes');
});

test.concurrent('labels edited by hand come back, and nothing else notices', async () => {
  const dev = await acme.instance('renamed');
  await dev.reaches('running');
  const { labels } = dev.pod(1).metadata;
  const path = `/api/v1/namespaces/${dev.namespace}/pods/${dev.podName(1)}`;
  const nobody = Object.fromEntries(Object.keys(labels ?? {}).map((name) => [name, null]));
  const body = { metadata: { labels: nobody } };
  await mustCallApi(stage().cluster, { method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
  const editedAt = performance.now();
  await dev.podBecomes('without labels', ({ metadata }) => metadata.labels === undefined, 1);
  await dev.podBecomes('itself', () => isDeepStrictEqual(dev.pod(1).metadata.labels, labels), 1);
  console.log(`labels were back after ${Math.round(performance.now() - editedAt)} ms`);
  expect(dev.lastingPhases).toEqual(['preparing', 'creating', 'running']);
});

async function remove(plural: string, name: string, namespace: string): Promise<void> {
  await mustCallApi(stage().cluster, { method: 'DELETE', path: `/api/v1/namespaces/${namespace}/${plural}/${name}` });
}

async function claimsOf(namespace: string): Promise<string[]> {
  const { body } = await mustCallApi(stage().cluster, {
    path: `/api/v1/namespaces/${namespace}/persistentvolumeclaims`,
  });
  const { items }: { items: { metadata: { name: string } }[] } = JSON.parse(body);
  return items.map(({ metadata }) => metadata.name);
}
