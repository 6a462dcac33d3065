// Which nodes get a model's files before a replica needs them there. Only into room that is free, one node of an organisation at a
// time, and never so much that little room is left. Pure.
import { MOST_FILLS } from '@gantry/contract/names.ts';

/** A node that replicas may go to. */
export interface FillNode {
  name: string;
  has: boolean;
  /** Lists of files of the organisation that it has. */
  lists: number;
  /** Into which more fits without anything going. */
  roomBytes: number;
}

export interface FillWish {
  /** The key of the deployment and its files. */
  key: string;
  organization: string;
  bytes: number;
  /** On how many nodes its replicas may be at once; 0: it needs none. */
  wanted: number;
  /** The node to which they are being copied now. */
  filling: string | undefined;
  nodes: readonly FillNode[];
}

/** The most fills of all organisations together: replicas that start have half of the gateway's deliveries for themselves. */
const MOST_AT_ONCE = 2;
/** The most lists of one organisation on one node. */
const MOST_LISTS = 8;
/** A cache of which fills never take more than half is never full. */
const ROOM_FOR = 2;

/** The node of each wish that gets one, by key; earlier wishes come first. `isGivenUp`: it was tried there lately, in vain. */
export function planFills(
  wishes: readonly FillWish[],
  isGivenUp: (key: string, node: string) => boolean,
): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  const ofOrganization = new Map<string, number>();
  const take = ({ key, organization }: FillWish, node: string) => {
    chosen.set(key, node);
    ofOrganization.set(organization, (ofOrganization.get(organization) ?? 0) + 1);
  };
  const open = wishes.filter(({ nodes, wanted }) => nodes.filter(({ has }) => has).length < wanted);
  const isFree = ({ organization }: FillWish, node: string): boolean =>
    chosen.size < MOST_AT_ONCE &&
    (ofOrganization.get(organization) ?? 0) < MOST_FILLS &&
    ![...chosen.values()].includes(node);
  // A fill under way takes its room while it lasts.
  for (const wish of open) {
    const node = wish.nodes.find(({ name, has }) => name === wish.filling && !has);
    if (node && !isGivenUp(wish.key, node.name) && isFree(wish, node.name)) take(wish, node.name);
  }
  for (const wish of open) {
    if (chosen.has(wish.key)) continue;
    const [best] = wish.nodes
      .filter(
        ({ name, has, lists, roomBytes }) =>
          !has && lists < MOST_LISTS && wish.bytes * ROOM_FOR <= roomBytes && !isGivenUp(wish.key, name),
      )
      .filter(({ name }) => isFree(wish, name))
      .sort((a, b) => b.roomBytes - a.roomBytes);
    if (best) take(wish, best.name);
  }
  return chosen;
}
