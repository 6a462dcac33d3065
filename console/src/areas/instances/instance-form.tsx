// The form of an instance: its parts, with price and room beside them.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ReactNode } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { CostPanel } from '../../parts/workload/cost-panel.tsx';
import { FitPanel } from '../../parts/workload/fit-panel.tsx';
import { type Beside, type SentForm, WorkloadFrame } from '../../parts/workload/form-frame.tsx';
import { FormFolds } from '../../parts/workload/form-section.tsx';
import { IdleFields } from '../../parts/workload/idle-fields.tsx';
import { ImageField } from '../../parts/workload/image-field.tsx';
import { PlaceFields } from '../../parts/workload/place-fields.tsx';
import { SizeFields } from '../../parts/workload/size-fields.tsx';
import { useRegion } from '../../parts/workload/use-region.ts';
import { useWatched } from '../../parts/workload/use-watched.ts';
import { AdvancedFields } from './advanced-fields.tsx';
import { DiskFields } from './disk-fields.tsx';
import { type InstanceValues, sizeOf } from './form-values.ts';
import { KeyFields } from './key-fields.tsx';
import { RegionField } from './region-field.tsx';
import { useInstanceWords } from './use-instance-words.ts';

const SIZED = ['gpu', 'cores', 'memoryGi', 'homeDisk', 'host', 'region'] as const;

interface InstanceFormProps extends SentForm<InstanceValues> {
  /** The id of the one that is edited. */
  instance?: string;
  /** Above the name. */
  children?: ReactNode;
  /** One leaves it to pay. */
  onRecharge?: () => void;
}

export function InstanceForm({ instance, children, ...props }: InstanceFormProps) {
  const t = useInstanceWords();
  const isNew = instance === undefined;
  const region = useWatch({ control: props.form.control, name: 'region' });
  const { isElsewhere } = useRegion(region);
  return (
    <WorkloadFrame {...props} isNew={isNew} nameHint={t('form.nameHint')} notice={children} Beside={Estimates}>
      <ImageField region={region} />
      <PlaceFields region={region}>{isNew && <RegionField />}</PlaceFields>
      <SizeFields />
      <FormFolds>
        <DiskFields region={region} {...(instance !== undefined && { instance })} />
        <KeyFields />
        {!isElsewhere && <IdleFields acts={t('form.idleActs')} />}
        <AdvancedFields />
      </FormFolds>
    </WorkloadFrame>
  );
}

function Estimates({ isNew, onRecharge }: Beside) {
  const { control } = useFormContext<InstanceValues>();
  const { region, ...values } = useWatched(control, SIZED);
  const size = sizeOf(values);
  return (
    <>
      <CostPanel kind="GpuInstance" spec={size?.cost} region={region} isNew={isNew} onRecharge={onRecharge} />
      <FitPanel call={CALLS.fitInstance} place={size && { ...size.place, ...(region !== '' && { region }) }} />
    </>
  );
}
