// The form of a deployment: the model, how it is served, and beside it whether and how that fits, and what it costs.

import type { DeploymentFitView } from '@gantry/contract/areas/models/models.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ENGINES, MOST_NODES, TASKS } from '@gantry/contract/models/engines.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { numberText } from '@gantry/ui/format/number.ts';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useFormContext, useWatch } from 'react-hook-form';
import { useModelOptions } from '../../parts/use-model-options.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { CostPanel, isOfField, SETTLES_MS } from '../../parts/workload/cost-panel.tsx';
import { type Beside, type WorkloadFormProps, WorkloadFrame } from '../../parts/workload/form-frame.tsx';
import { FormFolds, FormSection } from '../../parts/workload/form-section.tsx';
import { IdleFields } from '../../parts/workload/idle-fields.tsx';
import { ScalingFields } from '../../parts/workload/scaling-fields.tsx';
import { firstReplicas } from '../../parts/workload/scaling-values.ts';
import { useHosts } from '../../parts/workload/use-hosts.ts';
import { usePoolName } from '../../parts/workload/use-pool-name.ts';
import { ANY_IMAGE } from '../../parts/workload/workload-values.ts';
import { Arithmetic } from './arithmetic.tsx';
import { type DeploymentValues, EMPTY_DEPLOYMENT, manualOf, servedOf } from './deployment-values.ts';
import { GateFields } from './gate-fields.tsx';
import { MoreFields } from './more-fields.tsx';
import { useDeploymentWords } from './use-deployment-words.ts';
import { VersionField } from './version-field.tsx';

const Field = fieldsOf<DeploymentValues>();

const NAMES: Readonly<Record<(typeof ENGINES)[number], string>> = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  'llama.cpp': 'llama.cpp',
};
/** An empty choice has a name too. */
const SHOWS_EMPTY = { select: { displayEmpty: true }, inputLabel: { shrink: true } } as const;
const PAIR = { display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 } as const;

export function DeploymentForm(props: WorkloadFormProps<DeploymentValues>) {
  const t = useDeploymentWords();
  return (
    <WorkloadFrame {...props} nameHint={t('form.nameHint')} Beside={Estimates}>
      <WhatFields />
      <HowFields />
      <WhereFields />
      <FormFolds>
        <ScalingFields />
        <IdleFields acts={t('form.idleStops')} />
        <MoreFields />
        <GateFields />
        <CollectFields />
      </FormFolds>
    </WorkloadFrame>
  );
}

function WhatFields() {
  const t = useDeploymentWords();
  const { control } = useFormContext<DeploymentValues>();
  const chosen = useWatch({ control, name: 'model' });
  const options = useModelOptions(chosen);
  return (
    <FormSection title={t('form.what')}>
      <Box sx={PAIR}>
        <Field.Select name="model" label={t('form.model')} help={t('form.modelHint')} options={options} isRequired />
        <VersionField name="version" model={chosen} isRequired />
      </Box>
      <Field.Select
        name="task"
        label={t('form.task')}
        options={TASKS.map((task) => ({ value: task, label: t(`form.tasks.${task}`) }))}
      />
    </FormSection>
  );
}

function HowFields() {
  const t = useDeploymentWords();
  const { control } = useFormContext<DeploymentValues>();
  const isManual = useWatch({ control, name: 'setup' }) === 'Manual';
  const { data: specs = [] } = useCall(CALLS.listGpuSpecs, {});
  const gpu = useWatch({ control, name: 'gpuModel' });
  const models = [...new Map(specs.map(({ gpu_type, name }) => [gpu_type, name]))];
  const known = gpu === '' || models.some(([model]) => model === gpu) ? models : [...models, [gpu, gpu] as const];
  return (
    <FormSection title={t('form.how')}>
      <Field.Select
        name="setup"
        label={t('form.setup')}
        help={t(isManual ? 'form.manualHint' : 'form.automaticHint')}
        options={[
          { value: 'Automatic', label: t('facts.setups.automatic') },
          { value: 'Manual', label: t('facts.setups.manual') },
        ]}
      />
      <Field.Select
        name="engine"
        label={t('form.engine')}
        options={[
          { value: 'auto', label: t('form.auto'), isDisabled: isManual },
          ...ENGINES.map((engine) => ({ value: engine, label: NAMES[engine] })),
        ]}
      />
      <Box sx={PAIR}>
        <Field.Select
          name="gpuModel"
          label={t('form.gpu')}
          options={[
            { value: '', label: t(isManual ? 'form.gpuNone' : 'form.gpuAuto') },
            ...known.map(([model, name]) => ({ value: model, label: name })),
          ]}
          slotProps={SHOWS_EMPTY}
        />
        {gpu !== '' && <Field.Number name="gpuCount" label={t('form.gpuCount')} range={[1, 16]} isRequired />}
      </Box>
      <Field.Number name="contextLength" label={t('form.context')} help={t('form.contextHint')} range={[1]} />
      {isManual && <ManualFields hasGpu={gpu !== ''} />}
    </FormSection>
  );
}

function ManualFields({ hasGpu }: { hasGpu: boolean }) {
  const t = useDeploymentWords();
  return (
    <>
      <Box sx={PAIR}>
        <Field.Number name="cores" label={t('form.cores')} range={[0.1]} step="any" isRequired />
        <Field.Number name="memoryGi" label={t('form.memory')} unit="GiB" range={[0.0625]} step="any" isRequired />
        {hasGpu && (
          <>
            <Field.Number
              name="nodesPerReplica"
              label={t('facts.nodes')}
              help={t('form.nodesHint')}
              range={[1, MOST_NODES]}
            />
            <Field.Number name="tensorParallel" label={t('facts.split')} help={t('form.splitHint')} range={[1, 16]} />
            <Field.Number
              name="memoryFraction"
              label={t('form.fraction')}
              help={t('form.fractionHint')}
              range={[0.1, 0.99]}
              step="any"
            />
          </>
        )}
      </Box>
      <Field.Text name="extraArgs" label={t('form.arguments')} help={t('form.argumentsHint')} />
    </>
  );
}

function WhereFields() {
  const t = useDeploymentWords();
  const pool = usePoolName();
  const hosts = useHosts();
  const { control } = useFormContext<DeploymentValues>();
  const [host, hostTag] = useWatch({ control, name: ['host', 'hostTag'] });
  const { data: tags = [] } = useCall(CALLS.listHostTags, {});
  const goneTag = hostTag === '' || tags.includes(hostTag) ? [] : [hostTag];
  const known = hosts.map(({ id, name }) => ({ value: id, label: name }));
  // One that is no longer in the list stays chosen.
  const gone = host === '' || hosts.some(({ id }) => id === host) ? [] : [{ value: host, label: host }];
  return (
    <FormSection title={t('form.where')}>
      <Field.Select
        name="host"
        label={t('form.host')}
        options={[{ value: '', label: pool }, ...known, ...gone]}
        slotProps={SHOWS_EMPTY}
      />
      {host === '' && tags.length + goneTag.length > 0 && (
        <Field.Select
          name="hostTag"
          label={t('form.hostTag')}
          help={t('form.hostTagHint')}
          options={[
            { value: '', label: t('form.noHostTag') },
            ...[...tags, ...goneTag].map((tag) => ({ value: tag, label: tag })),
          ]}
          slotProps={SHOWS_EMPTY}
        />
      )}
      <Field.Text name="nodeLabels" label={t('facts.labels')} help={t('form.labelsHint')} />
    </FormSection>
  );
}

function CollectFields() {
  const t = useDeploymentWords();
  const { control } = useFormContext<DeploymentValues>();
  const [collects, percent] = useWatch({ control, name: ['collects', 'collectPercent'] });
  return (
    <FormSection title={t('collected.title')} summary={collects ? `${percent ?? '–'}%` : ''}>
      <Field.Checkbox name="collects" label={t('form.collects')} help={t('form.collectsHint')} />
      {collects && (
        <Box sx={PAIR}>
          <Field.Number name="collectPercent" label={t('form.collectPercent')} unit="%" range={[1, 100]} isRequired />
          <Field.Text name="dataset" label={t('collected.dataset')} help={t('form.datasetHint')} />
        </Box>
      )}
    </FormSection>
  );
}

function Estimates({ isNew, onRecharge }: Beside) {
  const t = useDeploymentWords();
  const { control, setValue } = useFormContext<DeploymentValues>();
  const values = { ...EMPTY_DEPLOYMENT, ...useWatch({ control }) } as DeploymentValues;
  const mayAsk = useMay()(CALLS.fitDeployment.id);
  const isWhole = values.model !== '' && values.version !== '';
  const settled = useSettled(isWhole ? servedOf(values) : undefined, SETTLES_MS);
  const { data, error, refetch } = useCall(
    CALLS.fitDeployment,
    { body: settled ?? { model: '-', version: '-' } },
    { enabled: settled !== undefined && mayAsk, keepsPrevious: true },
  );
  const byHand = (fit: DeploymentFitView) => {
    for (const [name, value] of Object.entries(manualOf(fit)))
      setValue(name as keyof DeploymentValues, value, { shouldDirty: true, shouldValidate: true });
  };
  const replicas = firstReplicas(values) ?? 1;
  const cost = data?.fits
    ? {
        cores: data.cores,
        memoryGi: data.memory_gi,
        ...(data.gpu && { gpu: data.gpu }),
        image: ANY_IMAGE,
        ports: [{ port: 80 }],
        // Each node of a replica costs what a replica on one node does.
        replicas: replicas * (data.nodes_per_replica ?? 1),
      }
    : undefined;
  return (
    <>
      {mayAsk && (
        <FormSection title={t('fit.title')}>
          {settled === undefined || isOfField(error) ? (
            <Typography variant="body2" color="text.secondary">
              {t('fit.incomplete')}
            </Typography>
          ) : error ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : data ? (
            <>
              <Fit fit={data} />
              {data.fits && values.setup === 'Automatic' && (
                <Button size="small" onClick={() => byHand(data)} sx={{ alignSelf: 'flex-start' }}>
                  {t('fit.byHand')}
                </Button>
              )}
            </>
          ) : (
            <Skeleton variant="rounded" height={120} />
          )}
        </FormSection>
      )}
      <CostPanel kind="ContainerService" spec={cost} isNew={isNew} onRecharge={onRecharge} />
    </>
  );
}

function Fit({ fit }: { fit: DeploymentFitView }) {
  const t = useDeploymentWords();
  if (!fit.fits || fit.engine === null) return <Alert severity="warning">{fit.message}</Alert>;
  const place = fit.gpu
    ? t((fit.nodes_per_replica ?? 1) > 1 ? 'fit.onNodes' : 'fit.gpus', {
        nodes: `${fit.nodes_per_replica}`,
        count: `${fit.gpu.count}`,
        model: fit.gpu.model,
      })
    : t('fit.cpu', { smart_count: fit.cores ?? 0, memory: `${fit.memory_gi}` });
  return (
    <>
      <Typography variant="body2">
        {t('fit.served', { engine: NAMES[fit.engine], place, tokens: numberText(fit.context_length) })}
      </Typography>
      <Arithmetic lines={fit.arithmetic} />
    </>
  );
}
