// A life of a task or a ContainerService to crash in: from its creation to a rest, or to the middle of its work; then it is deleted,
// billing posts its last use, and nothing is left.
import { FINALIZER } from '@gantry/contract/names.ts';
import type { Scenario } from '../crash-scenarios.ts';
import { normalState } from '../normal-state.ts';
import type { Arena } from './arena.ts';
import { leftOf } from './end-of-life.ts';
import { noSecondCreate, PAID } from './invariants.ts';
import type { Observed, Subject } from './subject.ts';

export interface SubjectLife<T extends Observed> {
  /** A DNS label of at most 20 letters. */
  readonly name: string;
  readonly spec?: object;
  /** From its creation to where it is deleted. Gives what is compared over crashes, besides its own state. */
  readonly run: (one: Subject<T>, arena: Arena) => Promise<unknown>;
}

/** The names and addresses that a cluster gives, moments, and how much of a log there is; an invariant looks at the intervals. */
const BY_CHANCE: readonly string[] = [
  ...['pod', 'podUID', 'podIP', 'node', 'subjectUID', 'clusterIP', 'clusterIPs', 'gantry.dev/owner'],
  ...['history', 'conditions', 'queue', 'bytes', 'intervals', 'from', 'to'],
];

export function subjectScenario<T extends Observed>(
  { name, spec = {}, run }: SubjectLife<T>,
  arena: () => Arena,
  at: (place: string) => Subject<T>,
): Scenario {
  const known = new Map<string, Subject<T>>();
  const subject = (place: string): Subject<T> => {
    const one = known.get(place) ?? at(place);
    known.set(place, one);
    return one;
  };
  const rests = new Map<string, unknown>();
  return {
    name,
    run: async (place) => {
      const one = subject(place);
      // As billing does, which posts the last use before it may go.
      await one.create(spec, [FINALIZER.billing]);
      const besides = await run(one, arena());
      const atRest = withoutNames(one.now);
      await one.release();
      const released = withoutNames(await one.reaches('released'));
      rests.set(place, normalState({ atRest, released, besides }, place, BY_CHANCE));
      await one.letGo();
      await one.isGone();
    },
    isAbout: ({ name: called, namespace, resource }, place) =>
      namespace === subject(place).namespace && called.startsWith(place) && resource !== 'events',
    read: async (place) => ({ rest: rests.get(place), left: await leftOf(subject(place), arena()) }),
    invariants: {
      ...Object.fromEntries(
        Object.entries(PAID).map(([sentence, check]) => [
          sentence,
          ({ place }: { place: string }) => check(subject(place)),
        ]),
      ),
      'nothing is made twice': ({ writes }) => noSecondCreate(writes),
    },
  };
}

/** A Deployment's Pods have names by chance. */
function withoutNames(object: Observed | undefined): unknown {
  if (!object) return undefined;
  const { pods, ...status } = (object.status ?? {}) as { pods?: { name: string }[] };
  return { ...object, status: { ...status, ...(pods && { pods: pods.map(({ name: _, ...one }) => one) }) } };
}
