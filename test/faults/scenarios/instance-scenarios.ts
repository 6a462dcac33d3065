// Lives of GpuInstances to crash in: each ends with nothing left, and is compared by its state just before the end.
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { meteredRuns } from '../../support/metered-runs.ts';
import type { Call } from '../call.ts';
import type { Ran, Scenario } from '../crash-scenarios.ts';
import { normalState } from '../normal-state.ts';
import type { Arena } from './arena.ts';
import { leftOf } from './end-of-life.ts';
import { type Instance, SMALL } from './instance.ts';
import { EXACT, INVARIANTS, noSecondCreate } from './invariants.ts';

export interface Life {
  /** A DNS label of at most 20 letters. */
  readonly name: string;
  /** From create to a rest from which it can be released. */
  readonly run: (instance: Instance, arena: Arena) => Promise<void>;
  /** Objects that are deleted and created again during the scenario; calls for which this is true are counted. */
  readonly isMadeAnew?: (call: Call) => boolean;
  /** Waits for objects that go on their own after the instance. */
  readonly afterwards?: (instance: Instance) => Promise<void>;
  /** Invariants besides those of every instance. */
  readonly invariants?: typeof INVARIANTS;
}

const LIVES: readonly Life[] = [
  {
    name: 'life',
    run: async (instance) => {
      await instance.create();
      await instance.reaches('running');
      await instance.wish({ power: 'Stopped' });
      await instance.reaches('stopped');
      await instance.wish({ power: 'Running' });
      await instance.reaches('running');
      await instance.wish({ cores: 2 });
      await instance.reaches('running');
      await instance.wish({ rebootCount: 1 });
      await instance.reaches('running');
      await instance.wish({ power: 'ShutDown' });
      await instance.reaches('shutDown');
    },
  },
  {
    name: 'pod-deleted',
    run: async (instance, arena) => {
      await instance.create();
      await instance.reaches('running');
      await arena.call({
        method: 'DELETE',
        path: `/api/v1/namespaces/${instance.namespace}/pods/${instance.pod.metadata.name}`,
      });
      await instance.becomes('running again', ({ status }) => status?.phase === 'running' && status.run?.seq === 2);
      await instance.wish({ power: 'ShutDown' });
      await instance.reaches('shutDown');
    },
  },
  {
    name: 'no-quota',
    run: async (instance) => {
      await instance.create({ gpu: { ...SMALL.gpu, count: 2 } });
      await instance.becomes('refused for its quota', ({ status }) => status?.reason === 'QuotaExceeded');
      await instance.wish({ gpu: SMALL.gpu });
      await instance.reaches('running');
      await instance.wish({ power: 'ShutDown' });
      await instance.reaches('shutDown');
    },
  },
];

/** In an organisation with one GPU: a larger request is refused. */
export const instanceScenarios = (arena: () => Arena, namespace: () => string): readonly Scenario[] =>
  LIVES.map((life) => instanceScenario(life, arena, namespace));

export function instanceScenario(
  { name, run, afterwards, invariants, isMadeAnew = () => false }: Life,
  arena: () => Arena,
  namespace: () => string,
): Scenario {
  const instanceAt = (place: string) => arena().instanceNamed(place, namespace());
  const atRest = new Map<string, unknown>();
  return {
    name,
    run: async (place) => {
      const instance = instanceAt(place);
      await run(instance, arena());
      atRest.set(place, normalState(withoutChance(instance.now), place, ['subjectUID']));
      await instance.release();
      await instance.isGone();
      await afterwards?.(instance);
    },
    isAbout: (call, place) => isOf(call, place, namespace()),
    read: async (place) => ({ atRest: atRest.get(place), left: await leftOf(instanceAt(place), arena()) }),
    invariants: {
      ...Object.fromEntries(
        Object.entries({ ...INVARIANTS, ...EXACT, ...invariants }).map(([sentence, check]) => [
          sentence,
          ({ place }: Ran) => check(instanceAt(place)),
        ]),
      ),
      'nothing is made twice': ({ writes }) => noSecondCreate(writes.filter(({ call }) => !isMadeAnew(call))),
    },
  };
}

/**
 * Which of several equal nodes it had is random. So is where the disk's intervals begin: a disk bound in the second in which the
 * run became Ready has no interval of its own; seen later, it divides the run's. The runs and the open intervals at the end are
 * compared; an invariant checks that there is no gap.
 */
function withoutChance(instance: GpuInstance | undefined): unknown {
  if (!instance) return undefined;
  const seen: GpuInstance = JSON.parse(JSON.stringify(instance).replaceAll(/sim-h100-[0-9]+/g, '<node>'));
  const open = seen.status?.intervals?.at(-1);
  const intervals = [...meteredRuns(seen), ...(open ? [open] : [])].map(({ seq: _, ...rest }) => rest);
  return { ...seen, status: { ...seen.status, intervals } };
}

/** Kubernetes events have no defined order relative to the state. */
const isOf = (call: Call, place: string, namespace: string): boolean =>
  call.namespace === namespace && call.name.startsWith(place) && call.resource !== 'events';
