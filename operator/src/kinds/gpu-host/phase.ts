// The phase of a host: the first match wins, in the contract's order (decisions section 3).
import { type GpuHostPhase, gpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { answers, cardsOf, type Facts, staying } from './facts.ts';

const isOver = ({ rental, status }: Facts): boolean => rental?.isExpired === true || status.returnedAt !== undefined;

const ROWS: Record<GpuHostPhase, (f: Facts) => boolean> = {
  releasing: (f) => f.deleting,
  draining: (f) => isOver(f) && f.ending && f.held.length > 0,
  expired: isOver,
  lost: (f) => f.started && joined(f).length === 0,
  pending: (f) => !f.started && staying(f).length < f.owner.spec.nodes,
  activeSync: (f) => !f.started || joined(f).some((one) => answers(one) && cardsOf(one) < f.owner.spec.gpu.count),
  // Some of several nodes may continue without the others.
  notReady: (f) => !joined(f).some(answers),
  active: () => true,
};

export const joined = (f: Facts) => staying(f).filter(({ isJoined }) => isJoined);

export function phaseOf(f: Facts): GpuHostPhase {
  const order = Object.keys(gpuHost.phases) as GpuHostPhase[];
  return order.find((phase) => ROWS[phase](f)) ?? 'active';
}
