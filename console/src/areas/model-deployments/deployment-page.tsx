// One deployment: its state and the reason, its model and how that fits, its replicas, their logs, and what they use.

import type { Call } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { numberText } from '@gantry/ui/format/number.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { EmptyState } from '@gantry/ui/widgets/states.tsx';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { codeSamples } from '../../parts/code-samples.ts';
import { FactList } from '../../parts/fact-list.tsx';
import { KindPage } from '../../parts/kind-page.tsx';
import { LineageTab } from '../../parts/lineage/lineage-tab.tsx';
import { ReplicaLog } from '../../parts/log/replica-log.tsx';
import { metricsTab } from '../../parts/metrics/metrics-tab.tsx';
import { PlainTable, podColumns } from '../../parts/plain-table.tsx';
import { Section } from '../../parts/section.tsx';
import { useNameOf, useReadableModels } from '../../parts/use-names.ts';
import { usePartsWords } from '../../parts/use-parts-words.ts';
import { RevisionTable } from '../../parts/workload/revision-table.tsx';
import { ScalingRecords } from '../../parts/workload/scaling-records.tsx';
import { usePeople } from '../../parts/workload/use-people.ts';
import { onPage } from '../../parts/workload/workload-actions.tsx';
import { Arithmetic } from './arithmetic.tsx';
import { CollectedTab } from './collected-tab.tsx';
import { DeploymentActions } from './deployment-actions.tsx';
import { DeploymentRequests } from './deployment-requests.tsx';
import { EvaluateButton } from './evaluate-button.tsx';
import { GateSection } from './gate-section.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';

export function DeploymentPage() {
  const t = useDeploymentWords();
  const parts = usePartsWords();
  return (
    <KindPage
      kind="modelDeployment"
      read={CALLS.getDeployment}
      list="/model/deployment"
      price={({ price }) => price}
      chip={({ id, phase_label: label, tone, message, data_reflow: reflow, served_for: servedFor }) => (
        <>
          <PhaseChip label={label} tone={tone} message={message} />
          {servedFor !== null && (
            <Chip
              component={RouterLink}
              to={`/model/evaluation/${servedFor}`}
              clickable
              size="small"
              label={t('servedFor')}
              sx={{ ml: 1 }}
            />
          )}
          {reflow && (
            <Chip
              component={RouterLink}
              to={`/model/deployment/${id}/collected`}
              clickable
              size="small"
              label={t('collected.on', { percent: `${reflow.percent}` })}
              sx={{ ml: 1 }}
            />
          )}
        </>
      )}
      next={({ id, task, replicas }) =>
        task === 'Generate' && replicas.ready > 0
          ? { label: parts('head.chat'), node: 'createChat', to: `/model/chat?${new URLSearchParams({ model: id })}` }
          : undefined
      }
      live={({ gpu, cost, price, replicas }) =>
        replicas.ready > 0 ? { type: 'deployment', hasGpu: gpu !== null, cost, price } : undefined
      }
      line={({ id, task, replicas }) =>
        task === 'Generate' && replicas.ready > 0 ? { label: 'curl', text: curlOf(id) } : undefined
      }
      actions={(deployment, onDone) => (
        <>
          <EvaluateButton deployment={deployment} />
          {onPage(DeploymentActions)(deployment, onDone)}
        </>
      )}
      tabs={{
        overview: (deployment) => <Overview deployment={deployment} />,
        requests: ({ id }) => <DeploymentRequests id={id} />,
        replicas: (deployment) => (
          <>
            <Replicas deployment={deployment} />
            <ScalingRecords read={CALLS.listDeploymentScaling} id={deployment.id} />
          </>
        ),
        revisions: (deployment) => <Revisions deployment={deployment} />,
        logs: (deployment) => <Logs deployment={deployment} />,
        metrics: metricsTab({ kind: 'modelDeployment', type: 'deployment' }),
        collected: (deployment) => <CollectedTab deployment={deployment} />,
        lineage: ({ id }) => <LineageTab kind="deployment" id={id} />,
      }}
    />
  );
}

/** One request, as programs send it. */
const curlOf = (model: string): string =>
  codeSamples({ model, messages: [{ role: 'user', content: 'Hello' }] }, location.origin)[0]?.code ?? '';

interface Shown {
  deployment: ModelDeploymentView;
}

function Overview({ deployment }: Shown) {
  const t = useDeploymentWords();
  const ui = useUiWords();
  const nameOfPerson = usePeople();
  const nameOfModel = useNameOf(useReadableModels());
  const { id, model, engine_label, setup, arithmetic, context_length, tensor_parallel_size, replicas } = deployment;
  const { asleep_since: asleep, adapters, address, node_labels: labels, cached_on: cached } = deployment;
  const { ready, wanted } = replicas;
  const cachedText = (on: NonNullable<typeof cached>) =>
    [t('facts.cachedOn', on), ...(on.copying > 0 ? [t('facts.copyingTo', on)] : [])].join(' · ');
  return (
    <>
      <Section title={t('facts.overview')}>
        <FactList
          isDense
          facts={[
            {
              label: t('facts.model'),
              value: (
                <>
                  <Link component={RouterLink} to={`/model/space/${model.id}`}>
                    {model.name ?? nameOfModel(model.id)}
                  </Link>
                  {` ${model.version}`}
                </>
              ),
            },
            { label: t('facts.name'), value: id, action: <CopyButton text={id} label={t('facts.name')} /> },
            { label: t('facts.engine'), value: engine_label ?? t('facts.notYet') },
            { label: t('facts.setup'), value: t(`facts.setups.${setup}`) },
            { label: t('facts.specification'), value: deployment.specification },
            {
              label: t('facts.context'),
              value:
                context_length === null ? t('facts.notYet') : t('facts.tokens', { count: numberText(context_length) }),
            },
            ...(deployment.nodes_per_replica > 1
              ? [{ label: t('facts.nodes'), value: deployment.nodes_per_replica }]
              : []),
            { label: t('facts.split'), value: tensor_parallel_size ?? t('facts.notYet') },
            { label: t('facts.replicas'), value: t('facts.readyOf', { ready, wanted }) },
            ...(adapters.length === 0
              ? []
              : [{ label: t('facts.adapters'), value: adapters.map(({ name }) => name).join(', ') }]),
            { label: t('facts.weights'), value: bytesText(deployment.weights_bytes) },
            ...(cached === null ? [] : [{ label: t('facts.cached'), value: cachedText(cached) }]),
            ...(address === null ? [] : [{ label: t('facts.address'), value: address }]),
            { label: t('facts.service'), value: deployment.service_name },
            { label: t('facts.workload'), value: deployment.workload_name },
            ...(deployment.host_tag === null ? [] : [{ label: t('facts.hostTag'), value: deployment.host_tag }]),
            ...(Object.keys(labels).length === 0
              ? []
              : [
                  {
                    label: t('facts.labels'),
                    value: Object.entries(labels)
                      .map(([key, value]) => `${key}=${value}`)
                      .join(', '),
                  },
                ]),
            ...(asleep === null ? [] : [{ label: t('facts.asleep'), value: timeText(asleep) }]),
            { label: t('facts.lastRequest'), value: timeText(deployment.last_request_time) },
            { label: t('columns.cost'), value: deployment.cost ?? t('facts.noCost') },
            { label: ui('fields.creator'), value: nameOfPerson(deployment.creator) },
            { label: ui('fields.createTime'), value: timeText(deployment.create_time) },
          ]}
        />
      </Section>
      <GateSection deployment={deployment} />
      {arithmetic.length > 0 && (
        <Section title={t('facts.arithmetic')}>
          <Arithmetic lines={arithmetic} />
        </Section>
      )}
    </>
  );
}

function Replicas({ deployment: { pods } }: Shown) {
  const t = useDeploymentWords();
  const ui = useUiWords();
  if (pods.length === 0) return <EmptyState title={t('pods.none')} />;
  return (
    <Section title={t('facts.replicas')}>
      <PlainTable
        label={t('facts.replicas')}
        rows={pods}
        keyOf={({ name }) => name}
        columns={[
          ...podColumns(ui),
          { label: t('pods.node'), cell: ({ node }) => node ?? '–' },
          { label: t('pods.ready'), cell: ({ ready_time }) => timeText(ready_time) },
          { label: t('pods.restarts'), cell: ({ restarts }) => restarts, isEnd: true },
        ]}
      />
    </Section>
  );
}

function Revisions({ deployment }: Shown) {
  const t = useDeploymentWords();
  const { model: served } = deployment;
  return (
    <RevisionTable
      kind="modelDeployment"
      target={deployment}
      lead={t('revisions.lead')}
      column={{
        label: t('facts.model'),
        cell: ({ model, version }) =>
          `${model === served.id ? (served.name ?? model) : (model ?? '–')} ${version ?? ''}`,
      }}
      question={({ revision, version }) => ({
        text: t('revisions.rollbackTo', { revision, version: version ?? '–' }),
        lost: t('revisions.lost'),
      })}
    />
  );
}

function Logs({ deployment: { id, pods } }: Shown) {
  const t = useDeploymentWords();
  return (
    <ReplicaLog
      pods={pods}
      sourceOf={(pod, query) => ({
        call: CALLS.readDeploymentLog as Call,
        params: { id },
        query: { pod, ...query },
      })}
      words={{
        none: t('pods.none'),
        choose: t('pods.choose'),
        previous: t('pods.previous'),
        logOf: (name) => t('pods.logOf', { name }),
      }}
    />
  );
}
