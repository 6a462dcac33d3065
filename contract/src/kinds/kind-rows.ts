// Rows that several kinds have: of actions, and of rules.
import type { KubeObject } from '../define-kind.ts';
import type { Task } from '../fields/task.ts';
import { RULE_WORDS } from '../rule-words.ts';

/** Who made an object stays known. */
export const CREATOR_KEPT = {
  rule: '!has(oldSelf.spec.creator) || has(self.spec.creator)',
  words: RULE_WORDS.creatorKept,
};

/** The object runs, and costs money. */
export const startFrom = <const Phase extends string>(from: readonly Phase[]) =>
  ({ from, does: asksFor('Running'), right: 'use', danger: 'none', spends: true }) as const;

export const stopFrom = <const Phase extends string>(from: readonly Phase[]) =>
  ({ from, does: asksFor('Stopped'), right: 'use', danger: 'interrupts', spends: false }) as const;

/** Its runs end, and begin again once it is resumed. */
export const suspendFrom = <const Phase extends string>(from: readonly Phase[]) =>
  ({ from, does: asksFor('Suspended'), right: 'use', danger: 'interrupts', spends: false }) as const;

/** A task runs once more. */
export const runAgainFrom = <const Phase extends string>(from: readonly Phase[]) =>
  ({ from, does: runsAgain, right: 'use', danger: 'none', spends: true }) as const;

/** The page for its fields opens; saving them is a request of its own. */
export const editFrom = <const Phase extends string>(from: readonly Phase[]) =>
  ({ from, does: () => ({ spec: {} }), right: 'use', danger: 'none', spends: true }) as const;

/** A page opens, and nothing changes. */
export const openFrom = <const Phase extends string>(from: readonly Phase[]) =>
  ({ from, does: 'open', right: 'use', danger: 'none', spends: false }) as const;

export const releaseFrom = <const Phase extends string>(from: readonly Phase[]) =>
  ({ from, does: 'delete', right: 'use', danger: 'destroys', spends: false }) as const;

const asksFor = (power: string) => (_object: KubeObject) => ({ spec: { power } });
/** What running once more changes. */
export const runsAgain = (object: KubeObject) => ({
  spec: { power: 'Running', runCount: ((object as Task).spec.runCount ?? 0) + 1 },
});
