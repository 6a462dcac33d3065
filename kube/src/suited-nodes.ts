// Which nodes suit a size, for whoever asks where it may go: the operator's sentences about what waits, and the gateway's fit.
import type { Said } from '@gantry/contract/said.ts';
import { closedSaid } from './closed-nodes.ts';
import { closedTo, type NodeStand, type Placing } from './placement.ts';

/** A node as it stands, with the model and the number of its cards. */
export interface CardNode extends NodeStand {
  model: string | undefined;
  gpus: number;
}

export interface Suited<Room> {
  /** All nodes that are meant for it, in any state. */
  models: readonly string[];
  /** Those with its GPU model, if it requests one, open or closed. */
  ofModel: readonly Room[];
  /** Those of them that it may go to, if there is room. */
  open: readonly Room[];
  /** Why none with enough cards accepts it. */
  closed: Said | undefined;
}

/** `isExcluded`: the object itself keeps off it. */
export function suitedTo<Room extends CardNode>(
  rooms: readonly Room[],
  gpu: { model: string; count: number } | undefined,
  placing: Placing,
  isExcluded: (room: Room) => boolean = () => false,
): Suited<Room> {
  const meant = rooms.filter((room) => closedTo(room, placing) !== 'host');
  const ofModel = gpu ? meant.filter(({ model }) => model === gpu.model) : meant;
  const large = ofModel.filter(({ gpus }) => gpus >= (gpu?.count ?? 0));
  return {
    models: [...new Set(meant.flatMap(({ model }) => model ?? []))].sort(),
    ofModel,
    open: ofModel.filter((room) => closedTo(room, placing) === undefined && !isExcluded(room)),
    closed: closedSaid(large, placing, isExcluded),
  };
}
