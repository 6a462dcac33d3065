// How most scenarios close: what was made is released, leaves nothing, and nothing was ever wrong with it.

import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { LABEL } from '@gantry/contract/names.ts';
import { expect } from '@jest/globals';
import { waitUntil } from '../wait-until.ts';
import type { Arena } from './arena.ts';
import type { Instance } from './instance.ts';
import { allHold, holdOf, type INVARIANTS, PAID } from './invariants.ts';
import type { Observed, Subject } from './subject.ts';

export async function endsWell(instance: Instance, arena: Arena, invariants?: typeof INVARIANTS): Promise<void> {
  await instance.end();
  expect(await leftOf(instance, arena)).toEqual([]);
  allHold(instance, invariants);
}

/** Ends a task or a ContainerService that billing holds on to, as it does: it is deleted as it is, and paid for its use. */
export async function endsPaid<T extends Observed>(one: Subject<T>, arena: Arena, invariants = PAID): Promise<void> {
  await one.release();
  await one.reaches('released');
  await one.letGo();
  await one.isGone();
  let left: readonly string[] = [];
  await waitUntil(
    `nothing of ${one.name} is left`,
    async () => {
      left = await leftOf(one, arena);
      return left.length === 0;
    },
    { limitMs: 30_000, everyMs: 100, context: () => left.join(', ') },
  );
  holdOf(one, invariants);
}

const MADE = [
  ...['pods', 'persistentvolumeclaims', 'secrets', 'configmaps', 'services'].map((plural) => `api/v1 ${plural}`),
  ...['deployments', 'replicasets'].map((plural) => `apis/apps/v1 ${plural}`),
  'apis/batch/v1 jobs',
  'apis/kueue.x-k8s.io/v1beta2 workloads',
  `apis/${API_VERSION} gpujobs`,
];

/** Names of what carries its name in its namespace, or is labelled with it. */
export async function leftOf(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  arena: Arena,
): Promise<readonly string[]> {
  const lists = MADE.map((made) => {
    const [group, plural] = made.split(' ');
    return arena.list<KubeObject>(`/${group}/namespaces/${namespace}/${plural}`);
  });
  const isOf = ({ metadata }: KubeObject) => metadata.name.startsWith(name) || metadata.labels?.[LABEL.name] === name;
  return (await Promise.all(lists))
    .flat()
    .filter(isOf)
    .map(({ metadata }) => metadata.name);
}
