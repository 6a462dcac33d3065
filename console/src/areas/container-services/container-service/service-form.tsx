// The form of a service: its parts, with price and room beside them.

import type { EstimateView } from '@gantry/contract/areas/billing/wallet.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import Typography from '@mui/material/Typography';
import { useFormContext } from 'react-hook-form';
import { CostPanel } from '../../../parts/workload/cost-panel.tsx';
import { FitPanel } from '../../../parts/workload/fit-panel.tsx';
import { type Beside, type WorkloadFormProps, WorkloadFrame } from '../../../parts/workload/form-frame.tsx';
import { FormFolds } from '../../../parts/workload/form-section.tsx';
import { IdleFields } from '../../../parts/workload/idle-fields.tsx';
import { ImageField } from '../../../parts/workload/image-field.tsx';
import { PlaceFields } from '../../../parts/workload/place-fields.tsx';
import { ScalingFields } from '../../../parts/workload/scaling-fields.tsx';
import { SizeFields } from '../../../parts/workload/size-fields.tsx';
import { UpdateFields } from '../../../parts/workload/update-fields.tsx';
import { useWatched } from '../../../parts/workload/use-watched.ts';
import { CommandField } from '../form/command-field.tsx';
import { EnvFields } from '../form/env-fields.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { PublishFields } from './publish-fields.tsx';
import { RecommendationPanel } from './recommendation-panel.tsx';
import { type ServiceValues, serviceSize } from './service-values.ts';

const SIZED = ['gpu', 'cores', 'memoryGi', 'host', 'ports', 'isScaled', 'replicas', 'autoscaling'] as const;
const CHANGED = { shouldDirty: true, shouldValidate: true } as const;

export function ServiceForm(props: WorkloadFormProps<ServiceValues>) {
  const t = useDeployWords();
  return (
    <WorkloadFrame {...props} nameHint={t('form.nameHint')} Beside={Estimates}>
      <ImageField />
      <RecommendationPanel />
      <CommandField />
      <PlaceFields />
      <SizeFields />
      <FormFolds>
        <PublishFields />
        <ScalingFields />
        <EnvFields hint={t('service.envHint')} />
        <UpdateFields />
        <IdleFields acts={t('idle.stopsService')} />
      </FormFolds>
    </WorkloadFrame>
  );
}

function Estimates({ isNew, onRecharge }: Beside) {
  const t = useDeployWords();
  const { control, setValue } = useFormContext<ServiceValues>();
  const values = useWatched(control, SIZED);
  const { isScaled, autoscaling } = values;
  const size = serviceSize(values);
  const forReplicas = (_: EstimateView) => (
    <Typography variant="body2" color="text.secondary">
      {t('service.forReplicas', { smart_count: size?.count ?? 0 })}
      {isScaled && autoscaling.min === 0 && ` ${t('service.sleepsFree')}`}
    </Typography>
  );
  return (
    <>
      <CostPanel kind="ContainerService" spec={size?.cost} isNew={isNew} onRecharge={onRecharge} more={forReplicas} />
      <FitPanel
        call={CALLS.fitService}
        place={size?.place}
        onCopies={(copies) => setValue(isScaled ? 'autoscaling.min' : 'replicas', copies, CHANGED)}
      />
    </>
  );
}
