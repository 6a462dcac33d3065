// The GPU that the portal has reserved, by the id that the address has: the organisation's from here on, until it runs out.
import type { HoldView } from '@gantry/contract/areas/portal/holds.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useState } from 'react';
import { useNow } from '../../parts/use-now.ts';
import type { InstanceValues } from './form-values.ts';

const SECOND_MS = 1_000;

export interface HeldGpu {
  /** `open` may be used, `ended` could have been; `given` up is what the person goes on without. */
  state: 'none' | 'pending' | 'open' | 'ended' | 'given';
  view: HoldView | undefined;
  seconds: number;
  /** From now on the form is sent without it. */
  giveUp(): void;
}

export function useHold(id: string | null): HeldGpu {
  const [isGiven, setGiven] = useState(false);
  // A claim that is repeated changes nothing.
  const { data, isPending, dataUpdatedAt } = useCall(
    CALLS.claimHold,
    { params: { id: id ?? '' } },
    { enabled: id !== null, staleMs: Number.POSITIVE_INFINITY },
  );
  const endsAt = data ? dataUpdatedAt + data.seconds * SECOND_MS : 0;
  const now = useNow(SECOND_MS, data !== undefined && !isGiven);
  const seconds = Math.max(0, Math.ceil((endsAt - now) / SECOND_MS));
  const state = () => {
    if (id === null) return 'none';
    if (isGiven) return 'given';
    if (isPending) return 'pending';
    return data && seconds > 0 ? 'open' : 'ended';
  };
  return { state: state(), view: data, seconds, giveUp: () => setGiven(true) };
}

/** Whether the form asks for what is reserved, or less of it. `region` is the hold's as the form names it. */
export const isHeld = (
  { gpu, host, region }: Pick<InstanceValues, 'gpu' | 'host' | 'region'>,
  view: HoldView,
  held: string,
): boolean => gpu.model === view.model && (gpu.count ?? 0) <= view.gpus && host === '' && region === held;
