// Metrics, which only instances in the first data centre have. Of one elsewhere a sentence says that they are not available.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { InstanceView } from '@gantry/contract/kinds/gpu-instance.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { EmptyState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import type { ReactNode } from 'react';
import { useInstanceWords } from './use-instance-words.ts';

interface HereOnlyProps {
  instance: Pick<InstanceView, 'region' | 'data_center'>;
  children: ReactNode;
}

export function HereOnly({ instance: { region, data_center: name }, children }: HereOnlyProps) {
  const t = useInstanceWords();
  // Nothing is asked before it is known where it is: what is elsewhere would be refused.
  const { data, isPending } = useCall(CALLS.listRegions, {});
  if (isPending) return <LoadingRows rows={2} height={160} />;
  if (data?.some((one, at) => at > 0 && one.region === region))
    return <EmptyState title={t('elsewhere.title', { region: name })} hint={t('elsewhere.metrics')} />;
  return children;
}
