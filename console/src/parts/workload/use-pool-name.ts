// "Shared pool, US East Washington": the place of what has no host.
import { useRegion } from './use-region.ts';
import { useWorkloadWords } from './use-workload-words.ts';

export function usePoolName(region = ''): string {
  const t = useWorkloadWords();
  const { name } = useRegion(region);
  return name === undefined ? t('place.pool') : t('place.poolOf', { region: name });
}
