// The form of a job: its parts, with price and room beside them.

import type { EstimateView } from '@gantry/contract/areas/billing/wallet.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { moneyText } from '@gantry/ui/format/money.ts';
import Typography from '@mui/material/Typography';
import { useFormContext, useWatch } from 'react-hook-form';
import { RunFields } from '../../../parts/task/run-fields.tsx';
import { useTaskWords } from '../../../parts/task/use-task-words.ts';
import { CostPanel } from '../../../parts/workload/cost-panel.tsx';
import { FitPanel } from '../../../parts/workload/fit-panel.tsx';
import { type Beside, type WorkloadFormProps, WorkloadFrame } from '../../../parts/workload/form-frame.tsx';
import { FormFolds, FormSection } from '../../../parts/workload/form-section.tsx';
import { IdleFields } from '../../../parts/workload/idle-fields.tsx';
import { ImageField } from '../../../parts/workload/image-field.tsx';
import { PlaceFields } from '../../../parts/workload/place-fields.tsx';
import { PortFields, portsText } from '../../../parts/workload/port-fields.tsx';
import { SizeFields } from '../../../parts/workload/size-fields.tsx';
import { useWatched } from '../../../parts/workload/use-watched.ts';
import { CommandField } from '../form/command-field.tsx';
import { EnvFields } from '../form/env-fields.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { type JobValues, jobSize } from './job-values.ts';
import { MountFields } from './mount-fields.tsx';
import { ExecutionFields } from './schedule-fields.tsx';
import { WorkersHelp } from './workers-help.tsx';

const Field = fieldsOf<JobValues>();

const SIZED = ['gpu', 'cores', 'memoryGi', 'host', 'workers', 'maxRunMinutes', 'retries', 'priority'] as const;
const MOST_WORKERS = 64;

export function JobForm(props: WorkloadFormProps<JobValues>) {
  const t = useDeployWords();
  return (
    <WorkloadFrame {...props} nameHint={t('form.nameHint')} Beside={Estimates}>
      <ImageField />
      <CommandField />
      <PlaceFields />
      <SizeFields />
      <FormFolds>
        <WorkerFields />
        <ExecutionFields isFixed={!props.isNew} />
        <RunFields />
        <MountFields />
        <EnvFields />
        <TrackingFields />
        <Ports />
        <IdleFields acts={t('idle.stopsJob')} />
      </FormFolds>
    </WorkloadFrame>
  );
}

function TrackingFields() {
  const t = useDeployWords();
  const { control } = useFormContext<JobValues>();
  const isOn = useWatch({ control, name: 'tracking' });
  return (
    <FormSection title={t('tracking.title')} summary={isOn ? t('tracking.kept') : t('tracking.notKept')}>
      <Field.Checkbox name="tracking" label={t('tracking.isOn')} help={t('tracking.isOnHint')} />
    </FormSection>
  );
}

function Ports() {
  const t = useDeployWords();
  const { control } = useFormContext<JobValues>();
  const ports = useWatch({ control, name: 'ports' });
  return (
    <FormSection title={t('form.ports')} summary={portsText(ports)}>
      <PortFields title={t('form.ports')} hint={t('form.jobPortsHint')} isAlone />
    </FormSection>
  );
}

function WorkerFields() {
  const t = useDeployWords();
  const { control } = useFormContext<JobValues>();
  const workers = useWatch({ control, name: 'workers' });
  return (
    <FormSection title={t('workers.title')} hint={t('workers.hint')} summary={`${workers ?? '–'}`}>
      <Field.Number
        name="workers"
        label={t('workers.title')}
        help={t('workers.each')}
        range={[1, MOST_WORKERS]}
        isRequired
        sx={{ maxWidth: '20rem' }}
      />
      <WorkersHelp />
    </FormSection>
  );
}

function Estimates({ isNew, onRecharge }: Beside) {
  const t = useTaskWords();
  const { control, setValue } = useFormContext<JobValues>();
  const size = jobSize(useWatched(control, SIZED));
  const inAll = ({ most_in_all: most, currency }: EstimateView) => (
    <Typography variant="body2" color="text.secondary">
      {most === null ? t('run.noMost') : t('run.atMost', { amount: moneyText(most, currency) })}
    </Typography>
  );
  return (
    <>
      <CostPanel kind="Job" spec={size?.cost} isNew={isNew} onRecharge={onRecharge} more={inAll} />
      <FitPanel
        call={CALLS.fitJob}
        place={size?.place}
        onCopies={(copies) => setValue('workers', copies, { shouldDirty: true, shouldValidate: true })}
      />
    </>
  );
}
