// Row A2: how many writes an operator may make in one life of an instance. Creating and deleting the children is the work itself;
// additional and unexpected writes are counted separately.
import type { Requests } from './operator-metrics.ts';

const READS = new Set(['get', 'list', 'watch']);
/** Told beside the state, not part of it. */
const APART = new Set(['Event', 'Lease']);
const CHILDREN = new Set(['Pod', 'PersistentVolumeClaim']);

export interface WriteBudget {
  /** On the objects themselves: their finalizer and their status. */
  readonly own: number;
  /** Creating, stopping, unfinalizing and deleting children. */
  readonly children: number;
}

/** Written at most every two seconds for the whole pool, however many instances there are. */
const OF_THE_POOL = new Set(['Cohort']);

export const isWrite = ({ verb, kind }: Requests): boolean => !READS.has(verb) && !APART.has(kind);

export function writeBudget(requests: readonly Requests[]): WriteBudget {
  const writes = requests.filter((one) => isWrite(one) && !OF_THE_POOL.has(one.kind));
  const count = (of: readonly Requests[]) => of.reduce((sum, one) => sum + one.count, 0);
  const children = count(writes.filter(({ kind }) => CHILDREN.has(kind)));
  return { own: count(writes) - children, children };
}

/** For people: the requests to the API server, in total and per life. */
export function requestTable(requests: readonly Requests[], lives: number): string {
  const rows = requests.map(({ kind, subresource, verb, count }) => [
    subresource ? `${kind}/${subresource}` : kind,
    verb,
    `${count}`,
    (count / lives).toFixed(3),
  ]);
  return [['kind', 'verb', 'requests', 'per life'], ...rows]
    .map(
      ([kind = '', verb = '', count = '', each = '']) =>
        `${kind.padEnd(28)}${verb.padEnd(8)}${count.padStart(9)}${each.padStart(10)}`,
    )
    .join('\n');
}
