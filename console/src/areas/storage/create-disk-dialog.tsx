// A new disk: its name, its size with the price beside it, and how many may write.

import { MOST_DISK_GI } from '@gantry/contract/fields/size.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { dataDisk } from '@gantry/contract/kinds/data-disk.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormNumber, FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { gibibytesText } from '@gantry/ui/format/size.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import type * as z from 'zod';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { missingIn } from '../../parts/missing-money.ts';
import { TopUpButton } from '../../parts/top-up-button.tsx';
import { DraftNotice, useDraft } from '../../parts/use-draft.tsx';
import { DiskPrice } from './disk-price.tsx';
import { useStorageWords } from './use-storage-words.ts';

type NewDisk = z.input<typeof dataDisk.api.writes.create>;
const USUAL_GI = 20;
const EMPTY: NewDisk = { displayName: '', sizeGi: USUAL_GI, access: 'Single' };

export function CreateDiskDialog({ onClose }: { onClose: () => void }) {
  const t = useStorageWords();
  const ui = useUiWords();
  const language = useLanguage();
  const resolver = useMemo(() => rulesOf<NewDisk>(dataDisk.api.writes.create, language), [language]);
  const draft = useDraft<NewDisk>('disk', EMPTY);
  const [missing, setMissing] = useState<string>();
  const { form, error, submit } = useServerForm<NewDisk>({
    resolver,
    defaultValues: draft.begun,
  });
  const create = useCommand(CALLS.createDisk, {
    success: t('create.done'),
    isQuiet: true,
    invalidates: [CALLS.listDisks],
    onSuccess: onClose,
  });
  const send = submit(async (body) => {
    setMissing(undefined);
    await draft
      .send(body, () => create.mutateAsync({ body }))
      .catch((refused: unknown) => {
        setMissing(missingIn(refused));
        throw refused;
      });
  });
  const toPay = () => draft.keep(form.getValues());
  const { control } = form;
  const [sizeGi, access = 'Single'] = useWatch({ control, name: ['sizeGi', 'access'] });
  return (
    <FormDialog
      title={t('create.title')}
      submitLabel={ui('actions.create')}
      isBusy={create.isPending}
      error={error}
      help={missing !== undefined && <TopUpButton missing={missing} onLeave={toPay} />}
      onSubmit={send}
      onClose={() => {
        draft.forget();
        onClose();
      }}
    >
      <DraftNotice draft={draft} form={form} />
      <FormText
        control={control}
        name="displayName"
        label={t('create.name')}
        help={t('create.nameHelp')}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <FormNumber
        control={control}
        name="sizeGi"
        label={t('create.size')}
        help={t('create.sizeHelp', { most: gibibytesText(MOST_DISK_GI) })}
        isRequired
        range={[1, MOST_DISK_GI]}
        unit="GiB"
      />
      <Controller
        control={control}
        name="access"
        render={({ field }) => (
          <FormControl>
            <FormLabel id="disk-access">{t('create.access')}</FormLabel>
            <RadioGroup aria-labelledby="disk-access" {...field}>
              {(['Single', 'Many'] as const).map((value) => (
                <FormControlLabel
                  key={value}
                  value={value}
                  control={<Radio />}
                  sx={{ alignItems: 'flex-start', my: 0.5 }}
                  label={
                    <>
                      {t(value === 'Single' ? 'create.single' : 'create.many')}
                      <Typography variant="body2" component="span" color="text.secondary" sx={{ display: 'block' }}>
                        {t(value === 'Single' ? 'create.singleHelp' : 'create.manyHelp')}
                      </Typography>
                    </>
                  }
                />
              ))}
            </RadioGroup>
          </FormControl>
        )}
      />
      <DiskPrice sizeGi={sizeGi} access={access} onLeave={toPay} />
    </FormDialog>
  );
}
