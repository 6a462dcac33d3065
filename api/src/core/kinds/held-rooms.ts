// Nodes as they are without the cards that are kept for somebody. A kept card stands on the fullest node that has it, with its share of cores
// and memory, so that whoever counts rooms counts it; where the scheduler puts the instance in the end is its own affair. Pure.
import { closedTo, type PoolRules, placingOf } from '@gantry/kube/placement.ts';
import { cardShare, type Room } from './stock.ts';

export interface HeldCards {
  id: string;
  region: string;
  model: string;
  /** Of one node. */
  gpus: number;
  /** Undefined: a visitor, who may become anybody. */
  organization: string | undefined;
  /** The name of the instance that was made with them, in the organisation's namespace. */
  instance: string | undefined;
}

/** What an instance needs of the pool; `fits` asks whether these held cards leave it room. */
export interface CardWish {
  region: string;
  organization: string;
  model: string;
  gpus: number;
  /** The hold that it is made with. */
  hold: string | undefined;
  /** The same for each repetition of one call. */
  by: string | undefined;
  fits(held: readonly HeldCards[]): boolean;
}

/** Cards of one instance that is being made. */
export interface TakenCards {
  /** It is there, by this name. */
  made(instance: string): Promise<void>;
  /** It is not. */
  giveBack(): Promise<void>;
}

/** Who keeps them. */
export interface CardKeeping {
  heldIn(region: string, organization?: string): HeldCards[];
  take(wish: CardWish): Promise<TakenCards | undefined>;
}

/** Kept cards that are not there any longer keep nothing. */
export function withoutHeld(rooms: readonly Room[], held: readonly HeldCards[], rules: PoolRules): readonly Room[] {
  if (held.length === 0) return rooms;
  const left = [...rooms];
  for (const one of held) {
    const at = roomOf(left, one, rules);
    if (at !== undefined) left[at] = without(left[at] as Room, one);
  }
  return left;
}

/** Where such cards are free; a visitor's only where every organisation may go. Undefined: nowhere. */
export function roomOf(
  rooms: readonly Room[],
  { model, gpus, organization }: Pick<HeldCards, 'model' | 'gpus' | 'organization'>,
  rules: PoolRules,
): number | undefined {
  const placing = placingOf({ gpu: true }, undefined, organization, rules);
  let best: number | undefined;
  for (const [at, room] of rooms.entries()) {
    if (room.model !== model || room.freeGpus < gpus) continue;
    if (best !== undefined && (rooms[best] as Room).freeGpus <= room.freeGpus) continue;
    if (closedTo(room, placing) === undefined) best = at;
  }
  return best;
}

function without(room: Room, { id, gpus, organization }: HeldCards): Room {
  const { cores, memoryGi } = cardShare([room]);
  return {
    ...room,
    freeGpus: room.freeGpus - gpus,
    freeCores: Math.max(0, room.freeCores - gpus * cores),
    freeMemoryGi: Math.max(0, room.freeMemoryGi - gpus * memoryGi),
    // Where a node serves one organisation alone, it serves the one that keeps the cards.
    organizations: new Set([...room.organizations, organization ?? id]),
  };
}
