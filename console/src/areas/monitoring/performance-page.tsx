// Objects of any type side by side, over time or against an earlier time.
import { MONITOR_TYPES } from '@gantry/contract/monitor/metrics.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { useWindow } from '../../parts/metrics/use-window.ts';
import { WindowBar } from '../../parts/metrics/window-bar.tsx';
import { ObjectMetrics } from './object-metrics.tsx';
import { useMonitorWords } from './use-monitor-words.ts';

export function PerformancePage() {
  const t = useMonitorWords();
  const window = useWindow();
  return (
    <>
      <PageHeader title={t('performance.title')} lead={t('performance.lead')}>
        <WindowBar window={window} />
      </PageHeader>
      <ObjectMetrics window={window} types={MONITOR_TYPES} />
    </>
  );
}
