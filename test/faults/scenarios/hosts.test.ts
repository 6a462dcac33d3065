// Faults 3, 9 and 12 for hosts: two operators at once, hands that take a claim apart, nodes that are gone for good.
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { LABEL, organizationNamespace } from '@gantry/contract/names.ts';
import type { Node } from '@gantry/kube/core-objects.ts';
import { afterEach, expect, test } from '@jest/globals';
import { waitUntil } from '../wait-until.ts';
import { ALONE, type Arena, setArena } from './arena.ts';
import {
  asideFor,
  hostBecomes,
  hostPath,
  isActive,
  joinNode,
  leasePath,
  leaveNode,
  nodePath,
  release,
  rent,
} from './rented-node.ts';

const arena = setArena(ALONE);
const NAMESPACE = organizationNamespace('faults');
const REPAIRED_WITHIN_MS = 60_000;

const joined: string[] = [];
afterEach(async () => {
  await Promise.all(joined.splice(0).map((name) => leaveNode(arena(), name)));
});
async function nodes(what: string, many = 1): Promise<readonly string[]> {
  const model = arena().freshName(what);
  const names = Array.from({ length: many }, (_, index) => `${model}-${index}`);
  joined.push(...names);
  await Promise.all(names.map((name) => joinNode(arena(), name, model)));
  return names;
}
const modelOf = (node = ''): string => node.replace(/-[0-9]+$/, '');
const nodesOf = ({ status }: GpuHost): readonly string[] => (status?.nodes ?? []).map(({ name }) => name);

const HANDS: Readonly<Record<string, (arena: Arena, node: string) => Promise<unknown>>> = {
  'its label': (arena, node) => arena.patch(nodePath(node), { metadata: { labels: { [LABEL.nodeHost]: null } } }),
  'its taint': async (arena, node) => {
    const taints = (await arena.get<Node>(nodePath(node)))?.spec?.taints ?? [];
    await arena.patch(nodePath(node), { spec: { taints: taints.filter(({ key }) => key !== 'gantry.dev/host') } });
  },
  'its Lease': (arena, node) => arena.call({ method: 'DELETE', path: leasePath(node) }),
};
test('whatever a hand takes off a node of a host is put back', async () => {
  const [node = ''] = await nodes('handled');
  await rent(arena(), NAMESPACE, node, modelOf(node));
  const host = await hostBecomes(arena(), [NAMESPACE, node], 'active', isActive);
  const whole = { label: host.metadata.uid, taint: host.metadata.uid, lease: host.metadata.uid };
  expect(await asideFor(arena(), node)).toEqual(whole);
  for (const [what, takeOff] of Object.entries(HANDS)) {
    await takeOff(arena(), node);
    const began = performance.now();
    const isWhole = async () => Object.keys(await asideFor(arena(), node)).length === 3;
    await waitUntil(`${what} is back`, isWhole, { limitMs: REPAIRED_WITHIN_MS, everyMs: 20 });
    console.log(`${what} was back after ${Math.round(performance.now() - began)} ms`);
    expect(await asideFor(arena(), node)).toEqual(whole);
  }
  const after = await hostBecomes(arena(), [NAMESPACE, node], 'still active', isActive);
  expect(after.status?.intervals).toEqual(host.status?.intervals);
  await release(arena(), NAMESPACE, node);
  expect(await asideFor(arena(), node)).toEqual({});
});

test('a host whose node is deleted says so and is not billed for it, and takes another that joins', async () => {
  const [node = '', ...others] = await nodes('deleted');
  expect(others).toEqual([]);
  await rent(arena(), NAMESPACE, node, modelOf(node));
  await hostBecomes(arena(), [NAMESPACE, node], 'active', isActive);
  await leaveNode(arena(), node);
  const lost = await hostBecomes(arena(), [NAMESPACE, node], 'lost', ({ status }) => status?.phase === 'lost');
  expect(lost.status).toMatchObject({
    reason: 'NodesLost',
    message: `The host's nodes are gone, and 0 of 0 others with 8 × ${modelOf(node)} are free.`,
    intervals: [{ seq: 1, to: expect.any(String) }],
  });
  await waitUntil('its Lease is gone', async () => (await arena().get(leasePath(node))) === undefined, {
    limitMs: 10_000,
  });

  const another = `${modelOf(node)}-1`;
  joined.push(another);
  await joinNode(arena(), another, modelOf(node));
  const back = await hostBecomes(arena(), [NAMESPACE, node], 'active again', isActive);
  expect(nodesOf(back)).toEqual([another]);
  expect(back.status?.intervals?.map(({ seq, to }) => [seq, to !== undefined])).toEqual([
    [1, true],
    [2, false],
  ]);
  await release(arena(), NAMESPACE, node);
  expect(await asideFor(arena(), another)).toEqual({});
});

test('two operators that both think they lead give each node to one host', async () => {
  const names = await nodes('contended', 4);
  const model = modelOf(names[0]);
  const second = await arena().contender();
  const wishes = Array.from({ length: 8 }, (_, index) => `${model}-h${index}`);
  await Promise.all(wishes.map((name) => rent(arena(), NAMESPACE, name, model)));
  const hosts = () =>
    Promise.all(wishes.map(async (name) => (await arena().get<GpuHost>(hostPath(NAMESPACE, name))) as GpuHost));
  const settled = async () => {
    const all = await hosts();
    const waiting = all.filter(({ status }) => status?.phase === 'pending' && status.reasonArgs?.free === '0');
    return all.filter(isActive).length === names.length && waiting.length === wishes.length - names.length;
  };
  await waitUntil('four are active and four wait', settled, { limitMs: 60_000, everyMs: 200 });
  const active = (await hosts()).filter(isActive);
  expect(active.flatMap(nodesOf).sort()).toEqual([...names]);
  for (const host of active) {
    const { uid } = host.metadata;
    expect(await asideFor(arena(), nodesOf(host)[0] ?? '')).toEqual({ label: uid, taint: uid, lease: uid });
  }
  await Promise.all(wishes.map((name) => release(arena(), NAMESPACE, name)));
  for (const name of names) expect(await asideFor(arena(), name)).toEqual({});
  await second.operator.close();
});
