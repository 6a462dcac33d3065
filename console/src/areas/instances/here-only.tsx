// Metrics, which only instances in the first data centre have. Of one elsewhere a sentence says that they are not available.
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { EmptyState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import type { ReactNode } from 'react';
import { useRegion } from '../../parts/workload/use-region.ts';
import { useInstanceWords } from './use-instance-words.ts';

interface HereOnlyProps {
  instance: Pick<InstanceView, 'region' | 'data_center'>;
  children: ReactNode;
}

export function HereOnly({ instance: { region, data_center: name }, children }: HereOnlyProps) {
  const t = useInstanceWords();
  // Nothing is asked before it is known where it is: what is elsewhere would be refused.
  const { isElsewhere, isPending } = useRegion(region);
  if (isPending) return <LoadingRows rows={2} height={160} />;
  if (isElsewhere) return <EmptyState title={t('elsewhere.title', { region: name })} hint={t('elsewhere.metrics')} />;
  return children;
}
