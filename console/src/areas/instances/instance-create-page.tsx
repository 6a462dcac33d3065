// A new instance on one page. Links may fill in its values.

import type { GpuSpecView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { DraftNotice, useDraft } from '../../parts/use-draft.tsx';
import { useImages } from '../../parts/workload/use-images.ts';
import { useStock } from '../../parts/workload/use-region.ts';
import { useSendNew } from '../../parts/workload/use-send-new.tsx';
import { useWatched } from '../../parts/workload/use-watched.ts';
import { useWorkloadWords } from '../../parts/workload/use-workload-words.ts';
import { withoutEnvValues } from '../../parts/workload/workload-values.ts';
import {
  bodyOf,
  EMPTY,
  type InstanceValues,
  type KeyValue,
  PRESETS,
  type Preset,
  presetOf,
  valuesOfQuery,
} from './form-values.ts';
import { HoldNotice } from './hold-notice.tsx';
import { InstanceForm } from './instance-form.tsx';
import { type HeldGpu, isHeld, useHold } from './use-hold.ts';
import { useInstanceForm } from './use-instance-form.ts';
import { useInstanceWords } from './use-instance-words.ts';
import { firstKeys, useOwnKeys } from './use-own-keys.ts';

/** The name in a form that a link fills in whole: nothing is left to type. */
const FIRST_NAME = 'first_instance';

/** Refusals of a hold, after which the form goes on without it. */
const OF_HOLDS: ReadonlySet<string> = new Set(['hold_gone', 'price_changed']);
const HELD = ['gpu', 'host', 'region'] as const;

/** If no GPU is free, the size that starts without one. */
const firstSize = (wanted: Preset, specs: readonly GpuSpecView[]) =>
  presetOf(wanted, specs) ?? presetOf('tryIt', specs);

export function InstanceCreatePage() {
  const t = useInstanceWords();
  const [query] = useSearchParams();
  const hold = useHold(query.get('hold'));
  // What is free is asked once the reservation is the organisation's: to others its GPU is not.
  const isClaimed = useOnce(hold.state !== 'pending');
  return (
    <>
      <PageHeader title={t('form.createTitle')} lead={t('form.createLead')} />
      {isClaimed ? <WithOffers hold={hold} /> : <LoadingRows rows={4} height={140} />}
    </>
  );
}

function WithOffers({ hold }: { hold: HeldGpu }) {
  const [query] = useSearchParams();
  // A preset takes the cheapest card there is, and all keys that can log in are picked, so what there is comes first.
  const { data: specs = [], isPending } = useStock(query.get('region') ?? '');
  const { images, isPending: isPendingToo } = useImages();
  const keys = useOwnKeys();
  if (!useOnce(!isPending && !isPendingToo && !keys.isPending)) return <LoadingRows rows={4} height={140} />;
  return (
    <NewInstance
      specs={specs}
      firstImage={images.find(({ official }) => official)?.source ?? ''}
      sshKeys={firstKeys(keys.data?.items ?? [])}
      hold={hold}
    />
  );
}

/** Once shown it stays: its fields retry failed reads, and would be removed for that, forever. */
function useOnce(isReady: boolean): boolean {
  const [isThere, setThere] = useState(false);
  if (isReady && !isThere) setThere(true);
  return isThere || isReady;
}

/** `firstImage` is the image of a preset if nothing was chosen. */
function NewInstance({
  specs,
  firstImage,
  sshKeys,
  hold,
}: {
  specs: readonly GpuSpecView[];
  firstImage: string;
  sshKeys: KeyValue[];
  hold: HeldGpu;
}) {
  const t = useInstanceWords();
  const workload = useWorkloadWords();
  const [query] = useSearchParams();
  const wanted = PRESETS.find((preset) => preset === query.get('preset'));
  const first = {
    ...EMPTY,
    sshKeys,
    ...(wanted && { displayName: FIRST_NAME, image: firstImage, ...firstSize(wanted, specs) }),
    ...valuesOfQuery(query, specs),
  };
  const draft = useDraft('instance', first, withoutEnvValues);
  const formed = useInstanceForm(draft.begun);
  const { form } = formed;
  const chosen = useWatched(form.control, HELD);
  const { data: stock = [] } = useStock(chosen.region);
  const id = query.get('hold');
  const isAsked = (values: Pick<InstanceValues, 'gpu' | 'host' | 'region'>) =>
    hold.view !== undefined && isHeld(values, hold.view, query.get('region') ?? '');
  const sent = useSendNew({
    create: CALLS.createInstance,
    list: CALLS.listInstances,
    ...{ formed, draft },
    bodyOf: (values) => ({
      ...bodyOf(values),
      ...(id !== null && hold.state === 'open' && isAsked(values) && { hold: id }),
    }),
    // Its sentence says so: sent once more, the form accepts what there is now.
    onRefused: (error) => OF_HOLDS.has(error) && hold.giveUp(),
    page: '/develop/instance',
  });
  const take = (preset: Preset) => {
    for (const [name, value] of Object.entries(presetOf(preset, stock) ?? {})) {
      form.setValue(name as 'gpu', value as never, { shouldDirty: true, shouldValidate: true });
    }
    if (form.getValues('image') === '' && firstImage !== '') {
      form.setValue('image', firstImage, { shouldDirty: true, shouldValidate: true });
    }
  };
  return (
    <InstanceForm {...sent} submitLabel={t('form.submit')}>
      <HoldNotice hold={hold} isAsked={isAsked(chosen)} />
      <DraftNotice draft={draft} form={form}>
        {draft.begun.env.length > 0 && workload('draft.env')}
      </DraftNotice>
      <Box
        role="group"
        aria-label={t('form.presets')}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}
      >
        <Typography variant="body2" color="text.secondary">
          {t('form.presets')}
        </Typography>
        {PRESETS.map((preset) => (
          <Chip
            key={preset}
            label={t(`form.${preset}`)}
            variant="outlined"
            disabled={presetOf(preset, stock) === undefined}
            onClick={() => take(preset)}
          />
        ))}
      </Box>
    </InstanceForm>
  );
}
