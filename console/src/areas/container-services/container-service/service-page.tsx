// One service: its state and the reason, its address, requests, replicas, revisions, logs, and what it uses.

import { CALLS } from '@gantry/contract/http/calls.ts';
import { ObjectFigures } from '../../../parts/figures/object-figures.tsx';
import { KindPage } from '../../../parts/kind-page.tsx';
import { ObjectMetrics } from '../../../parts/metrics/object-metrics.tsx';
import { ScalingRecords } from '../../../parts/workload/scaling-records.tsx';
import { onPage } from '../../../parts/workload/workload-actions.tsx';
import { Manifest } from '../manifest.tsx';
import { ReplicaHour } from './replica-hour.tsx';
import { ReplicaTable } from './replica-table.tsx';
import { ServiceActions } from './service-actions.tsx';
import { ServiceLogs } from './service-logs.tsx';
import { ServiceOverview } from './service-overview.tsx';
import { ServiceRequests } from './service-requests.tsx';
import { ServiceRevisions } from './service-revisions.tsx';

export const ServicePage = () => (
  <KindPage
    kind="containerService"
    read={CALLS.getService}
    list="/deploy/service"
    price={({ price }) => price}
    actions={onPage(ServiceActions)}
    without={({ access }) => (access === null ? ['requests'] : [])}
    tabs={{
      overview: (service) => <ServiceOverview service={service} />,
      requests: ({ id }) => <ServiceRequests id={id} />,
      replicas: (service) => (
        <>
          <ReplicaTable service={service} />
          <ReplicaHour id={service.id} />
          <ScalingRecords read={CALLS.listServiceScaling} id={service.id} />
        </>
      ),
      revisions: (service) => <ServiceRevisions service={service} />,
      logs: (service) => <ServiceLogs service={service} />,
      metrics: ({ id }) => (
        <>
          <ObjectFigures kind="containerService" id={id} />
          <ObjectMetrics type="service" id={id} />
        </>
      ),
      settings: ({ id, spec }) => <Manifest kind="ContainerService" id={id} spec={spec} />,
    }}
  />
);
