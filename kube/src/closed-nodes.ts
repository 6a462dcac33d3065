// Why every node that would suit is closed, in a reason's words: "no such model" is never said of nodes that exist.
import { DETAILS } from '@gantry/contract/kinds/details.ts';
import { type Said, said } from '@gantry/contract/said.ts';
import { type Closed, closedTo, keptOffBy, type NodeStand, type Placing } from './placement.ts';

type Cause = Exclude<Closed, 'host'> | 'excluded';
const DETAIL = {
  unready: DETAILS.nodesUnready,
  cordoned: DETAILS.nodesCordoned,
  tainted: DETAILS.nodesTainted,
  taken: DETAILS.nodesTaken,
  excluded: DETAILS.nodesExcluded,
} as const satisfies Record<Cause, unknown>;

/** A tenant reads them. */
const MOST_TAINTS = 5;

/** Undefined where one of them is open, or there is none. `isExcluded`: the object itself keeps off it. */
export function closedSaid<Room extends NodeStand>(
  suited: readonly Room[],
  placing: Placing,
  isExcluded: (room: Room) => boolean = () => false,
): Said | undefined {
  const causes = suited.map((room) => (isExcluded(room) ? 'excluded' : closedTo(room, placing)));
  const known = causes.filter((cause): cause is Cause => cause !== undefined && cause !== 'host');
  if (known.length === 0 || causes.includes(undefined)) return undefined;
  const count = (of: Cause) => `${known.filter((cause) => cause === of).length}`;
  const keys = suited.flatMap((room, at) =>
    causes[at] === 'tainted' ? keptOffBy(room.taints, placing.tolerations).map(({ key }) => key) : [],
  );
  const taints = [...new Set(keys)].sort().slice(0, MOST_TAINTS).join(', ');
  const [first] = known;
  return first !== undefined && known.every((cause) => cause === first)
    ? said(DETAIL[first], { taints })
    : said(DETAILS.nodesClosed, {
        unready: count('unready'),
        cordoned: count('cordoned'),
        tainted: count('tainted'),
        taken: count('taken'),
        excluded: count('excluded'),
      });
}
