// How most scenarios close: the instance is shut down and released, leaves nothing, and nothing was ever wrong with it.

import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { expect } from '@jest/globals';
import type { Arena } from './arena.ts';
import type { Instance } from './instance.ts';
import { allHold, type INVARIANTS } from './invariants.ts';

export async function endsWell(instance: Instance, arena: Arena, invariants?: typeof INVARIANTS): Promise<void> {
  await instance.end();
  expect(await leftOf(instance, arena)).toEqual([]);
  allHold(instance, invariants);
}

const MADE = ['pods', 'persistentvolumeclaims', 'secrets', 'configmaps', 'services'];

/** Names of what carries the instance's name in its namespace. */
export async function leftOf({ name, namespace }: Instance, arena: Arena): Promise<readonly string[]> {
  const lists = MADE.map((plural) => arena.list<KubeObject>(`/api/v1/namespaces/${namespace}/${plural}`));
  return (await Promise.all(lists))
    .flat()
    .map(({ metadata }) => metadata.name)
    .filter((left) => left.startsWith(name));
}
