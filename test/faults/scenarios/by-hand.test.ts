// Fault 9: somebody deletes or edits what the operator made. It is put back; a home that held work never is, in silence.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { ALONE, type Arena, setArena } from './arena.ts';
import { endsWell } from './end-of-life.ts';
import type { Instance } from './instance.ts';
import { allHold, EXACT } from './invariants.ts';

const arena = setArena(ALONE);

const podPath = ({ namespace, pod }: Instance, name = `/${pod.metadata.name}`): string =>
  `/api/v1/namespaces/${namespace}/pods${name}`;

/** Manual changes to the Pod of a running instance; all of them end its container. */
const HANDS: Readonly<Record<string, (arena: Arena, instance: Instance) => Promise<unknown>>> = {
  'deletes it': (arena, instance) => arena.call({ method: 'DELETE', path: podPath(instance) }),
  'deletes it without grace': (arena, instance) =>
    arena.call({ method: 'DELETE', path: `${podPath(instance)}?gracePeriodSeconds=0` }),
  'sets its deadline': (arena, instance) => arena.patch(podPath(instance), { spec: { activeDeadlineSeconds: 1 } }),
};

test.each(Object.entries(HANDS))('a Pod that somebody touches is followed by the next run: %s', async (_, hand) => {
  const instance = arena().instance('handled');
  await instance.create();
  await instance.reaches('running');
  const { uid } = instance.pod.metadata;
  await hand(arena(), instance);
  await instance.becomes('running again', ({ status }) => status?.phase === 'running' && status.run?.seq === 2);
  console.log(`next Pod ${followedAfterMs(instance, uid)} ms after the old one was gone`);
  await endsWell(instance, arena());
});

// As a create would that left a leader before it lost its Lease, and was long on its way: nothing can refuse it.
test('a Pod of an earlier run that appears late gets no node, and is taken away', async () => {
  const instance = arena().instance('late');
  await instance.create();
  await instance.reaches('running');
  const first = instance.pod;
  await instance.wish({ power: 'Stopped' });
  await instance.reaches('stopped');
  await instance.wish({ power: 'Running' });
  await instance.reaches('running');
  const { uid } = instance.pod.metadata;

  const late = await arena().call<Pod>({ method: 'POST', path: podPath(instance, ''), body: asCreated(first) });
  const sightings = () => instance.pods.filter(({ object }) => object.metadata.uid === late.metadata.uid);
  await arena().pods.until(
    () => `${first.metadata.name} is gone again`,
    () => sightings().at(-1)?.isGone,
    30_000,
  );
  expect(sightings().map(({ object }) => object.spec?.nodeName)).toEqual(sightings().map(() => undefined));
  expect(instance.now?.status?.run?.seq).toBe(2);
  expect(instance.pod.metadata.uid).toBe(uid);
  await instance.end();
  allHold(instance, EXACT);
});

/** The object as it was sent when it was created. */
function asCreated({ apiVersion, kind, metadata, spec }: Pod): object {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = metadata;
  const { nodeName: _, ...rest } = spec ?? {};
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations, finalizers, ownerReferences },
    spec: rest,
  };
}

/** By the observer's clock. */
function followedAfterMs({ pods }: Instance, uid: string | undefined): number {
  const gone = pods.find(({ object, isGone }) => isGone && object.metadata.uid === uid);
  const next = pods.find(({ object }) => object.metadata.uid !== uid);
  return Math.round((next?.at ?? Number.NaN) - (gone?.at ?? Number.NaN));
}

test('a home that somebody deletes is missed, and made anew only when asked for', async () => {
  const instance = arena().instance('homeless');
  const home = `/api/v1/namespaces/${instance.namespace}/persistentvolumeclaims/${instance.name}-home`;
  await instance.create();
  await instance.reaches('running');
  await arena().call({ method: 'DELETE', path: home });
  await instance.wish({ power: 'Stopped' });
  await instance.reaches('stopped');
  await eventually('the home is gone with its last user', async () => !(await arena().get(home)));

  await instance.wish({ power: 'Running' });
  expect((await instance.reaches('failed')).status?.reason).toBe('HomeLost');
  expect(await arena().get(home)).toBeUndefined();
  await instance.wish({ rebootCount: 1 });
  await instance.reaches('running');
  await endsWell(instance, arena());
});

/** Objects in an organisation's namespace, with a manual change to each. */
const PARTS: Readonly<Record<string, { readonly path: string; readonly edit: object }>> = {
  'a quota': { path: 'api/v1/resourcequotas/compute', edit: { spec: { hard: { 'requests.cpu': '99999' } } } },
  // No longer among what the operator follows.
  'a quota that lost its label': {
    path: 'api/v1/resourcequotas/compute',
    edit: { metadata: { labels: { 'gantry.dev/organization': null } } },
  },
  'a limit': { path: 'api/v1/limitranges/limits', edit: { spec: { limits: [] } } },
  'a network policy': {
    path: 'apis/networking.k8s.io/v1/networkpolicies/tenant',
    edit: { spec: { policyTypes: ['Ingress'], egress: null } },
  },
  'a binding': {
    path: 'apis/rbac.authorization.k8s.io/v1/rolebindings/gantry-tenant-owner',
    edit: { subjects: [{ kind: 'User', name: 'mallory', apiGroup: 'rbac.authorization.k8s.io' }] },
  },
};

test.each(Object.entries(PARTS))('%s of an organisation is put back when edited and when deleted', async (_, part) => {
  const { path, edit } = part;
  const at = placed(path, await arena().organization());
  const read = async () => withoutIdentity(await arena().get<Content>(at));
  const wanted = await read();
  await arena().patch(at, edit);
  await eventually('the edit is undone', async () => expect(await read()).toEqual(wanted) ?? true);
  await arena().call({ method: 'DELETE', path: at });
  await eventually('it is made again', async () => expect(await read()).toEqual(wanted) ?? true);
});

type Content = KubeObject & { status?: unknown };

const placed = (path: string, namespace: string): string => {
  const [plural, name] = path.split('/').slice(-2);
  return `/${path.split('/').slice(0, -2).join('/')}/namespaces/${namespace}/${plural}/${name}`;
};

function withoutIdentity(object: Content | undefined) {
  if (!object) return undefined;
  const { metadata, status: _, ...content } = object;
  const { name, labels, ownerReferences } = metadata;
  return { ...content, metadata: { name, labels, ownerReferences } };
}
