// The data centre of a new instance, with what is free there; shown only where there is a choice.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { NO_IDLE } from '../../parts/workload/idle-values.ts';
import { STOCK_EVERY_MS } from '../../parts/workload/use-region.ts';
import type { InstanceValues } from './form-values.ts';
import { useInstanceWords } from './use-instance-words.ts';

const Field = fieldsOf<InstanceValues>();

export function RegionField() {
  const t = useInstanceWords();
  const { control, setValue } = useFormContext<InstanceValues>();
  const region = useWatch({ control, name: 'region' });
  const { data = [] } = useCall(CALLS.listRegions, {}, { everyMs: STOCK_EVERY_MS });
  const places = data
    .filter((one) => one.takes_instances)
    .map(({ region: id, name, gpus }, at) => ({
      value: at === 0 ? '' : id,
      label: gpus ? t('form.regionFree', { name, ...gpus }) : t('form.regionAway', { name }),
      isDisabled: gpus === null,
    }));
  // Hosts and disks are in the first one, and only there somebody looks for what is idle.
  useEffect(() => {
    if (region === '') return;
    setValue('host', '');
    setValue('disks', []);
    setValue('idle', NO_IDLE);
  }, [region, setValue]);
  if (places.length < 2 && region === '') return null;
  return (
    <Field.Select
      name="region"
      label={t('form.region')}
      options={[
        ...places,
        // One that is no longer in the list stays selected.
        ...(places.some(({ value }) => value === region) ? [] : [{ value: region, label: region }]),
      ]}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    />
  );
}
