// One service: its state and the reason, its address, requests, replicas, revisions, logs, and what it uses.
import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ServiceView } from '@gantry/contract/kinds/container-service.ts';
import { useSearchParams } from 'react-router';
import { KindPage } from '../../../parts/kind-page.tsx';
import { ReplicaLog } from '../../../parts/log/replica-log.tsx';
import { metricsTab } from '../../../parts/metrics/metrics-tab.tsx';
import { usePartsWords } from '../../../parts/use-parts-words.ts';
import { Manifest } from '../../../parts/workload/manifest.tsx';
import { RevisionTable } from '../../../parts/workload/revision-table.tsx';
import { ScalingRecords } from '../../../parts/workload/scaling-records.tsx';
import { onPage } from '../../../parts/workload/workload-actions.tsx';
import { Code } from '../code.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { ReplicaHour } from './replica-hour.tsx';
import { ReplicaTable } from './replica-table.tsx';
import { ServiceActions } from './service-actions.tsx';
import { ServiceOverview } from './service-overview.tsx';
import { ServiceRequests } from './service-requests.tsx';
import { useOpenService } from './service-url.tsx';

export function ServicePage() {
  const t = useDeployWords();
  const parts = usePartsWords();
  const openOf = useOpenService();
  return (
    <KindPage
      kind="containerService"
      read={CALLS.getService}
      list="/deploy/service"
      price={({ price }) => price}
      next={(service) => {
        const press = service.replicas.ready > 0 ? openOf(service) : undefined;
        return press && { label: parts('head.address'), onPress: press };
      }}
      live={({ gpu, cost, spec, replicas, price }) =>
        replicas.ready > 0
          ? {
              ...{ type: 'service', hasGpu: gpu !== null, cost, price },
              cores: spec.cores * replicas.ready,
              memoryGi: spec.memoryGi * replicas.ready,
            }
          : undefined
      }
      line={({ url, address }) => {
        const text = url ?? address;
        return text === null ? undefined : { label: t('publish.url'), text };
      }}
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
        metrics: metricsTab({ kind: 'containerService', type: 'service' }),
        settings: ({ id, spec }) => <Manifest kind="ContainerService" id={id} spec={spec} />,
      }}
    />
  );
}

/** Earlier revisions of a service, by their images. */
function ServiceRevisions({ service }: { service: ServiceView }) {
  const t = useDeployWords();
  return (
    <RevisionTable
      kind="containerService"
      target={service}
      lead={t('revisions.lead')}
      column={{ label: t('facts.image'), cell: ({ image }) => <Code>{image}</Code> }}
      question={({ revision, image }) => ({
        text: t('ask.rollbackTo', { revision, image }),
        lost: t('ask.presentRevision'),
      })}
    />
  );
}

/** The logs of a service's replicas. They are gone with the replica; of one that was started again, those before are there too. */
function ServiceLogs({ service: { id, pods } }: { service: ServiceView }) {
  const t = useDeployWords();
  const [query] = useSearchParams();
  return (
    <ReplicaLog
      pods={pods}
      first={query.get('replica')}
      sourceOf={(pod, query) => ({ call: CALLS.getServiceReplicaLog as Call, params: { id, pod }, query })}
      words={{
        none: t('replicas.none'),
        choose: t('replicas.choose'),
        previous: t('replicas.previous'),
        logOf: (name) => t('replicas.logOf', { name }),
      }}
    />
  );
}
