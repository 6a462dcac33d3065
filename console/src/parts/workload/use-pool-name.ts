// "Shared pool, US East Washington": the place of an instance without a host.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useWorkloadWords } from './use-workload-words.ts';

export function usePoolName(): string {
  const t = useWorkloadWords();
  const { data = [] } = useCall(CALLS.listRegions, {});
  const [first] = data;
  return first ? t('place.poolOf', { region: first.name }) : t('place.pool');
}
