// A data centre by its id, and what it has to offer.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';

/** Free cards change while a person thinks. */
export const STOCK_EVERY_MS = 15_000;

export interface RegionSeen {
  /** Undefined until it is known. */
  name: string | undefined;
  /** It is not the first, where hosts, disks and saved images are. */
  isElsewhere: boolean;
  /** Nothing is known of it yet. */
  isPending: boolean;
}

/** Empty is the first. */
export function useRegion(id: string): RegionSeen {
  const { data = [], isPending } = useCall(CALLS.listRegions, {});
  const [home] = data;
  const found = id === '' ? home : data.find(({ region }) => region === id);
  return { name: found?.name, isElsewhere: found !== undefined && found !== home, isPending };
}

/** GPU models on offer there. */
export const useStock = (region: string) =>
  useCall(CALLS.listGpuSpecs, region === '' ? {} : { query: { region } }, { everyMs: STOCK_EVERY_MS });
