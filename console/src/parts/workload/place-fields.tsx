// The place and cards of an instance: the shared pool or a host of one's own, and the models that there are.

import { gpuName } from '@gantry/contract/gpu-name.ts';
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import FormControl from '@mui/material/FormControl';
import FormLabel from '@mui/material/FormLabel';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from './form-section.tsx';
import { following, type GpuOffer, gpuOffers, offerOfHost, type Size, sizeWith } from './gpu-offers.ts';
import { GpuTable } from './gpu-table.tsx';
import { useHosts } from './use-hosts.ts';
import { usePoolName } from './use-pool-name.ts';
import { useRegion, useStock } from './use-region.ts';
import { useWorkloadWords } from './use-workload-words.ts';
import type { WorkloadValues } from './workload-values.ts';

const Field = fieldsOf<WorkloadValues>();

const MOST_CARDS = 16;
const CHANGED = { shouldDirty: true, shouldValidate: true } as const;

interface PlaceFieldsProps {
  /** The data centre; empty is the first. */
  region?: string;
  /** The size without a card, where it is not the usual one. */
  plain?: Size;
  /** Above the host. */
  children?: ReactNode;
}

export function PlaceFields({ region = '', plain, children }: PlaceFieldsProps) {
  const t = useWorkloadWords();
  const hosts = useHostsOf(region);
  const { control } = useFormContext<WorkloadValues>();
  const host = useWatch({ control, name: 'host' });
  const { data: specs = [], isLoadingError, error, refetch } = useStock(region);
  const ofHost = hosts.find(({ id }) => id === host);
  const offers = ofHost ? [offerOfHost(ofHost, gpuName(ofHost.gpu_type))] : gpuOffers(specs);
  useFollowingSize(offers, plain);
  return (
    <FormSection title={t('form.place')}>
      {children}
      <HostField region={region} />
      {isLoadingError && <ErrorState error={error} onRetry={() => void refetch()} />}
      <GpuField offers={offers} />
    </FormSection>
  );
}

/** Where a task without cards runs. */
export function HostSection() {
  const t = useWorkloadWords();
  const pool = usePoolName('');
  const hosts = useHostsOf('');
  const { control } = useFormContext<WorkloadValues>();
  const host = useWatch({ control, name: 'host' });
  const summary = host === '' ? pool : (hosts.find(({ id }) => id === host)?.name ?? host);
  return (
    <FormSection title={t('form.place')} summary={summary}>
      <HostField />
    </FormSection>
  );
}

/** The shared pool, or one of the organisation's hosts. */
function HostField({ region = '' }: { region?: string }) {
  const t = useWorkloadWords();
  const pool = usePoolName(region);
  const hosts = useHostsOf(region);
  const { control } = useFormContext<WorkloadValues>();
  const host = useWatch({ control, name: 'host' });
  const options = [
    { value: '', label: pool },
    ...hosts.map(({ id, name, gpu_free: free, gpu_count: count, gpu_type: model }) => ({
      value: id,
      label: t('form.hostFree', { name, free, all: count, model: gpuName(model) }),
    })),
    // A host that is no longer in the list stays selected.
    ...(host !== '' && !hosts.some(({ id }) => id === host) ? [{ value: host, label: host }] : []),
  ];
  return (
    <Field.Select
      name="host"
      label={t('form.host')}
      options={options}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    />
  );
}

function useHostsOf(region: string) {
  const all = useHosts();
  return useRegion(region).isElsewhere ? [] : all;
}

/** CPU and memory scale with the cards until the reader changes them. */
function useFollowingSize(offers: readonly GpuOffer[], plain: Size | undefined): void {
  const { control, getValues, setValue } = useFormContext<WorkloadValues>();
  const [model, count] = useWatch({ control, name: ['gpu.model', 'gpu.count'] });
  const size = sizeWith({ model, count }, offers, plain);
  const last = useRef(size);
  const { cores, memoryGi } = size ?? {};
  useEffect(() => {
    if (cores === undefined || memoryGi === undefined) return;
    const [before, next] = [last.current, { cores, memoryGi }];
    last.current = next;
    if (!before) return;
    for (const [name, amount] of Object.entries(following(getValues(), before, next))) {
      setValue(name as 'cores', amount, CHANGED);
    }
  }, [cores, memoryGi, getValues, setValue]);
}

function GpuField({ offers }: { offers: readonly GpuOffer[] }) {
  const t = useWorkloadWords();
  const id = useId();
  const { control, setValue } = useFormContext<WorkloadValues>();
  const chosen = useWatch({ control, name: 'gpu.model' });
  const offer = offers.find(({ model }) => model === chosen);
  const isGone = chosen !== '' && !offer;
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
            <GpuTable
              labelledBy={id}
              offers={offers}
              value={value}
              gone={isGone ? gpuName(chosen) : undefined}
              inputRef={ref}
              onBlur={onBlur}
              onChange={(picked) => setValue('gpu.model', picked, CHANGED)}
            />
          )}
        />
      </FormControl>
      {chosen !== '' && (
        <Field.Number
          name="gpu.count"
          label={t('form.count')}
          help={offer && t('form.countHint', { most: offer.most })}
          range={[1, offer?.most ?? MOST_CARDS]}
          sx={{ maxWidth: '16rem' }}
        />
      )}
    </>
  );
}
