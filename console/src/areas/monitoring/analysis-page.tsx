// In-depth analysis: how objects hang together, and services, Pods and hosts over time.
import { MONITOR_TYPES, type MonitorType } from '@gantry/contract/monitor/metrics.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import type { ReactNode } from 'react';
import { useWindow } from '../../parts/metrics/use-window.ts';
import { WindowBar } from '../../parts/metrics/window-bar.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { ObjectMetrics } from './object-metrics.tsx';
import { TopologyView } from './topology-view.tsx';
import { useMonitorWords } from './use-monitor-words.ts';

const TABS = [{ name: 'topology' }, { name: 'services' }, { name: 'pods' }, { name: 'hosts' }] as const;
type Tab = (typeof TABS)[number]['name'];

/** A host is nodes, and has no Pods of its own. */
const WITH_PODS = MONITOR_TYPES.filter((type) => type !== 'host');

export const TopologyPage = () => (
  <Analysis tab="topology">
    <TopologyView />
  </Analysis>
);
export const ServicesPage = () => <OverTime tab="services" types={['service', 'deployment']} />;
export const PodsPage = () => <OverTime tab="pods" types={WITH_PODS} isOfPods />;
export const HostsPage = () => <OverTime tab="hosts" types={['host']} />;

function Analysis({ tab, bar, children }: { tab: Tab; bar?: ReactNode; children: ReactNode }) {
  const t = useMonitorWords();
  return (
    <>
      <PageHeader title={t('analysis.title')} lead={t(`analysis.leads.${tab}`)}>
        {bar}
      </PageHeader>
      <PageTabs
        label={t('analysis.title')}
        path="/monitor/analysis"
        tabs={TABS}
        shown={tab}
        labelOf={(name) => t(`analysis.tabs.${name}`)}
      >
        {children}
      </PageTabs>
    </>
  );
}

function OverTime({ tab, ...shown }: { tab: Tab; types: readonly MonitorType[]; isOfPods?: boolean }) {
  const window = useWindow();
  return (
    <Analysis tab={tab} bar={<WindowBar window={window} />}>
      <ObjectMetrics window={window} {...shown} />
    </Analysis>
  );
}
