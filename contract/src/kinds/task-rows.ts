// The rows that the facts of all tasks share: what they cost, and their phase in a view.
import { endsWhatRuns } from '../billing/credit.ts';
import { sizeUse, type Use } from '../billing/resources.ts';
import type { CostFacts, KubeObject } from '../define-kind.ts';
import { MI, mebibytesOf } from '../fields/quantity.ts';
import { listOf } from '../fields/stored.ts';
import { PRIORITIES, type Task, workersOf } from '../fields/task.ts';

/** What differs between kinds of tasks. */
interface Kind {
  /** The phases of a run that has ended by itself: well, or not. */
  ends: readonly string[];
  /** Those in which its workers run. */
  runs: readonly string[];
  /** It never runs itself: its runs are objects of their own. */
  isTemplate?(task: Task): boolean;
  /** The phase in which a template rests. */
  templateRests?: string;
}

/** The run that is wanted has ended, well or not. */
const hasEnded = ({ spec, status }: Task, { ends }: Kind): boolean =>
  status?.run?.endedAt !== undefined && status.run.runCount === spec.runCount && ends.includes(status.phase ?? '');

export function taskCost(kind: Kind): CostFacts {
  const isTemplate = (task: Task) => kind.isTemplate?.(task) ?? false;
  const isWanted = (task: Task) => task.spec.power === 'Running' && !hasEnded(task, kind);
  return {
    source: 'container_rent',
    begins: {
      make: 'true',
      change: [
        "(object.spec.power == 'Running' && oldObject.spec.power != 'Running')",
        'object.spec.runCount > oldObject.spec.runCount',
      ],
    },
    /** Nothing between runs, and never for a template. */
    desired(object) {
      const { spec, status } = object as Task;
      if (isTemplate(object as Task) || !isWanted(object as Task)) return [];
      const runs = status?.run !== undefined && kind.runs.includes(status.phase ?? '');
      return workerUses(spec, runs ? runningWorkers(object as Task) : workersOf(spec));
    },
    // For a template: the range of one of its runs.
    range(object) {
      const { spec } = object as Task;
      const uses = workerUses(spec, workersOf(spec));
      const minutes = spec.maxRunMinutes === undefined ? undefined : spec.maxRunMinutes * (spec.retries + 1);
      return { least: uses, most: uses, minutes };
    },
    // A template is told that it costs nothing.
    rests: (object) => !isTemplate(object as Task) && !isWanted(object as Task),
    waitsAs(object) {
      const { spec, status } = object as Task;
      const isWaiting = ['preparing', 'queued'].includes(status?.phase ?? 'preparing');
      if (!isWaiting || isTemplate(object as Task) || !isWanted(object as Task)) return undefined;
      return -PRIORITIES.indexOf(spec.priority);
    },
  };
}

/** Before the operator has acted on a command, its phase is the one that it will act towards. */
export function taskPhaseInView(kind: Kind): (object: KubeObject) => string {
  // Where a wish is met, and the phase until then. A wish may be any text.
  const rests = new Map<string, { in: readonly string[]; before: string }>([
    ['Stopped', { in: ['stopped', ...kind.ends], before: 'stopping' }],
    ['Suspended', { in: ['stopped', 'suspended', ...kind.ends], before: 'suspending' }],
  ]);
  const begins = (task: Task) => (kind.isTemplate?.(task) && kind.templateRests) || 'preparing';
  const isOver = (task: Task, seen: string) =>
    ['stopped', 'suspended'].includes(seen) || (kind.ends.includes(seen) && !hasEnded(task, kind));
  return (object) => {
    const task = object as Task;
    const seen = task.status?.phase ?? 'preparing';
    if (task.metadata.deletionTimestamp !== undefined) return seen === 'released' ? seen : 'releasing';
    if (endsWhatRuns(task.status?.reason ?? '')) return seen;
    const rest = rests.get(task.spec.power);
    if (rest) return rest.in.includes(seen) ? seen : rest.before;
    return isOver(task, seen) ? begins(task) : seen;
  };
}

const runningWorkers = ({ spec, status }: Task): number =>
  status?.workers
    ? listOf(status.workers).filter(({ phase }) => ['running', 'starting', 'waiting'].includes(phase)).length
    : workersOf(spec);

/** The combined use of `count` workers. */
export function workerUses(
  { gpu, cores, memoryGi, host }: Pick<Task['spec'], 'gpu' | 'cores' | 'memoryGi' | 'host'>,
  count: number,
): Use[] {
  if (count <= 0) return [];
  const of = (resource: 'gpu' | 'cpu' | 'memory') => (host === undefined ? resource : (`hosted-${resource}` as const));
  return [
    ...(gpu ? [{ resource: of('gpu'), model: gpu.model, quantity: gpu.count * count }] : []),
    { resource: of('cpu'), quantity: Math.round(cores * count * 1000) / 1000 },
    sizeUse(of('memory'), mebibytesOf(memoryGi) * MI * count),
  ];
}
