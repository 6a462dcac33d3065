// The form of a job: its parts, with price and room beside them.

import type { EstimateView } from '@gantry/contract/areas/billing/wallet.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { FormNumber, FormSelect } from '@gantry/ui/form/fields.tsx';
import { moneyText } from '@gantry/ui/format/money.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useFormContext } from 'react-hook-form';
import { CostPanel } from '../../../parts/workload/cost-panel.tsx';
import { FitPanel } from '../../../parts/workload/fit-panel.tsx';
import { type Beside, type WorkloadFormProps, WorkloadFrame } from '../../../parts/workload/form-frame.tsx';
import { FormSection } from '../../../parts/workload/form-section.tsx';
import { IdleFields } from '../../../parts/workload/idle-fields.tsx';
import { ImageField } from '../../../parts/workload/image-field.tsx';
import { PlaceFields } from '../../../parts/workload/place-fields.tsx';
import { SizeFields } from '../../../parts/workload/size-fields.tsx';
import { useWatched } from '../../../parts/workload/use-watched.ts';
import { CommandField } from '../form/command-field.tsx';
import { EnvFields } from '../form/env-fields.tsx';
import { PortFields } from '../form/port-fields.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { type JobValues, jobSize, PRIORITIES } from './job-values.ts';
import { MountFields } from './mount-fields.tsx';
import { ExecutionFields } from './schedule-fields.tsx';
import { WorkersHelp } from './workers-help.tsx';

const SIZED = ['gpu', 'cores', 'memoryGi', 'host', 'workers', 'maxRunMinutes', 'retries', 'priority'] as const;
const MOST_WORKERS = 64;
const MOST_RETRIES = 10;
const MOST_MINUTES = 129_600;

export function JobForm(props: WorkloadFormProps<JobValues>) {
  const t = useDeployWords();
  return (
    <WorkloadFrame {...props} nameHint={t('form.nameHint')} Beside={Estimates}>
      <ImageField />
      <CommandField />
      <PlaceFields />
      <SizeFields />
      <WorkerFields />
      <ExecutionFields isFixed={!props.isNew} />
      <RunFields />
      <MountFields />
      <EnvFields />
      <FormSection title={t('form.ports')}>
        <PortFields hint={t('form.jobPortsHint')} isAlone />
      </FormSection>
      <IdleFields acts={t('idle.stopsJob')} />
    </WorkloadFrame>
  );
}

function WorkerFields() {
  const t = useDeployWords();
  const { control } = useFormContext<JobValues>();
  return (
    <FormSection title={t('workers.title')} hint={t('workers.hint')}>
      <FormNumber
        control={control}
        name="workers"
        label={t('workers.title')}
        help={t('workers.each')}
        min={1}
        max={MOST_WORKERS}
        step={1}
        isRequired
        sx={{ maxWidth: '20rem' }}
      />
      <WorkersHelp />
    </FormSection>
  );
}

function RunFields() {
  const t = useDeployWords();
  const { control } = useFormContext<JobValues>();
  return (
    <FormSection title={t('run.title')}>
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
        <FormSelect
          control={control}
          name="priority"
          label={t('run.priority')}
          help={t('run.priorityHint')}
          options={PRIORITIES.map((value) => ({ value, label: t(`priorities.${value}`) }))}
        />
        <FormNumber
          control={control}
          name="maxRunMinutes"
          label={t('run.maxMinutes')}
          help={t('run.maxMinutesHint')}
          unit={t('units.minutes')}
          min={1}
          max={MOST_MINUTES}
          step={1}
        />
        <FormNumber
          control={control}
          name="retries"
          label={t('run.retries')}
          help={t('run.retriesHint')}
          min={0}
          max={MOST_RETRIES}
          step={1}
        />
      </Box>
    </FormSection>
  );
}

function Estimates({ isNew, onRecharge }: Beside) {
  const t = useDeployWords();
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
