// Where an instance runs and on which cards: the shared pool or a host of one's own, and the models that there are.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { FormNumber, FormSelect } from '@gantry/ui/form/fields.tsx';
import { rateText } from '@gantry/ui/format/money.ts';
import FormControl from '@mui/material/FormControl';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId } from 'react';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from './form-section.tsx';
import type { InstanceValues } from './form-values.ts';
import { OptionCard } from './option-card.tsx';
import { useHosts } from './use-hosts.ts';
import { useInstanceWords } from './use-instance-words.ts';
import { usePoolName } from './use-pool-name.ts';

const MOST_CARDS = 16;

export function PlaceFields() {
  const t = useInstanceWords();
  const pool = usePoolName();
  const hosts = useHosts();
  const { control, setValue } = useFormContext<InstanceValues>();
  const host = useWatch({ control, name: 'host' });
  const options = [
    { value: '', label: pool },
    ...hosts.map(({ id, name, gpu_free: free, gpu_count: all, gpu_type: model }) => ({
      value: id,
      label: t('form.hostFree', { name, free, all, model }),
    })),
    // A host that is no longer in the list stays selected.
    ...(host !== '' && !hosts.some(({ id }) => id === host) ? [{ value: host, label: host }] : []),
  ];
  const ofHost = hosts.find(({ id }) => id === host);
  return (
    <FormSection title={t('form.place')}>
      <FormSelect
        control={control}
        name="host"
        label={t('form.host')}
        options={options}
        slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
      />
      <GpuField
        model={ofHost?.gpu_type}
        free={ofHost?.gpu_free}
        onPick={(model) => setValue('gpu.model', model, { shouldDirty: true, shouldValidate: true })}
      />
    </FormSection>
  );
}

/** `model` is the chosen host's: it has no other, and its cards are already paid for. */
function GpuField({
  model,
  free,
  onPick,
}: {
  model: string | undefined;
  free: number | undefined;
  onPick: (model: string) => void;
}) {
  const t = useInstanceWords();
  const id = useId();
  const { control } = useFormContext<InstanceValues>();
  const { data: specs = [] } = useCall(CALLS.listGpuSpecs, {});
  const chosen = useWatch({ control, name: 'gpu.model' });
  const models = model === undefined ? [...Map.groupBy(specs, ({ gpu_type }) => gpu_type)] : [[model, []] as const];
  const shown =
    chosen !== '' && !models.some(([name]) => name === chosen) ? [...models, [chosen, []] as const] : models;
  return (
    <>
      <FormControl>
        <FormLabel id={id} sx={{ mb: 1 }}>
          {t('form.gpu')}
        </FormLabel>
        <Controller
          control={control}
          name="gpu.model"
          render={({ field: { value, ref, onBlur } }) => (
            <RadioGroup
              aria-labelledby={id}
              value={value}
              onBlur={onBlur}
              onChange={(_, picked) => onPick(picked)}
              sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 15rem), 1fr))', gap: 1 }}
            >
              <OptionCard
                control={<Radio value="" slotProps={{ input: { ref } }} />}
                title={t('form.noGpu')}
                isChosen={value === ''}
                lines={[t('form.noGpuHint')]}
              />
              {shown.map(([name, rows]) => {
                const all = rows.reduce((sum, { total }) => sum + total, 0);
                const left = model === undefined ? rows.reduce((sum, row) => sum + row.free, 0) : (free ?? 0);
                const price = rows[0]?.price;
                return (
                  <OptionCard
                    key={name}
                    control={<Radio value={name} />}
                    title={name}
                    isChosen={value === name}
                    lines={[
                      ...(price ? [t('form.perCard', { amount: rateText(price.amount, price.currency) })] : []),
                      left === 0 ? t('form.gpuNone') : t('form.gpuFree', { free: left, total: all || left }),
                    ]}
                  />
                );
              })}
            </RadioGroup>
          )}
        />
      </FormControl>
      {chosen !== '' && (
        <FormNumber
          control={control}
          name="gpu.count"
          label={t('form.count')}
          min={1}
          max={MOST_CARDS}
          step={1}
          sx={{ maxWidth: '12rem' }}
        />
      )}
    </>
  );
}
