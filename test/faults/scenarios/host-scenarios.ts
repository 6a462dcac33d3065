// A GpuHost's life to crash in: it takes a node, is renewed, and returns the node unchanged.

import type { Scenario } from '../crash-scenarios.ts';
import { normalState } from '../normal-state.ts';
import type { Arena } from './arena.ts';
import { noSecondCreate } from './invariants.ts';
import { asideFor, hostBecomes, hostPath, isActive, joinNode, leaveNode, release, rent } from './rented-node.ts';

const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

export function hostScenario(arena: () => Arena, namespace: () => string): Scenario {
  const active = new Map<string, unknown>();
  return {
    name: 'host',
    run: async (place) => {
      await joinNode(arena(), place);
      await rent(arena(), namespace(), place);
      await hostBecomes(arena(), [namespace(), place], 'active', isActive);
      await arena().patch(hostPath(namespace(), place), { spec: { months: 2 } });
      const host = await hostBecomes(arena(), [namespace(), place], 'renewed', isActive);
      const { uid } = host.metadata;
      const aside = Object.entries(await asideFor(arena(), place)).map(([what, whose]) => [what, whose === uid]);
      // Sentences say when its months end.
      const timeless = JSON.parse(JSON.stringify(host).replace(TIMES, '<time>'));
      active.set(place, { host: normalState(timeless, place, ['subjectUID']), aside });
      await release(arena(), namespace(), place);
    },
    isAbout: ({ name, resource }, place) => name === place && resource !== 'events',
    read: async (place) => ({ active: active.get(place), left: await asideFor(arena(), place) }),
    invariants: {
      'nothing is made twice': ({ writes }) => noSecondCreate(writes),
    },
    clear: (place) => leaveNode(arena(), place),
  };
}
