// The recipient of invoices, and the time zone in which their months begin.

import { DOCUMENT_ROUTES } from '@gantry/contract/areas/billing/documents.ts';
import type { OutputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCall, useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { type Control, Controller } from 'react-hook-form';
import type * as z from 'zod';
import { Section } from '../../../parts/section.tsx';
import { BillingFrame } from '../billing-frame.tsx';
import { useBillingWords } from '../use-billing-words.ts';

type Profile = OutputOf<typeof DOCUMENT_ROUTES.getBillingProfile>;
const { body: schema } = DOCUMENT_ROUTES.setBillingProfile;
type Values = z.input<typeof schema>;

export function ProfilePage() {
  const t = useBillingWords();
  const kept = useCall(CALLS.getBillingProfile, {});
  return (
    <BillingFrame tab="profile">
      <Box sx={{ maxWidth: 640 }}>
        <Section inGrid title={t('profile.title')}>
          {kept.error && !kept.data ? (
            <ErrorState error={kept.error} onRetry={() => void kept.refetch()} />
          ) : kept.data ? (
            <ProfileForm kept={kept.data} />
          ) : (
            <LoadingRows rows={6} height={44} />
          )}
        </Section>
      </Box>
    </BillingFrame>
  );
}

function ProfileForm({ kept }: { kept: Profile }) {
  const t = useBillingWords();
  const ui = useUiWords();
  const { form, error, submit } = useServerForm<Values>({
    resolver: rulesOf(schema, useLanguage()),
    defaultValues: kept,
  });
  const save = useCommand(CALLS.setBillingProfile, { isQuiet: true, invalidates: [CALLS.getBillingProfile] });
  const { control } = form;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit((body) => save.mutateAsync({ body }))}
      sx={{ display: 'grid', gap: 2.5 }}
    >
      <FormText
        control={control}
        name="legal_name"
        label={t('profile.legalName')}
        autoComplete="organization"
        autoFocus
      />
      <FormText
        control={control}
        name="address"
        label={t('profile.address')}
        autoComplete="street-address"
        multiline
        minRows={3}
      />
      <FormText control={control} name="tax_id" label={t('profile.taxId')} autoComplete="off" />
      <ZoneField control={control} />
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <Guarded node="setBillingProfile">
        <Button type="submit" variant="contained" loading={save.isPending} sx={{ justifySelf: 'start' }}>
          {ui('actions.save')}
        </Button>
      </Guarded>
    </Box>
  );
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The zones that the browser knows, plus the current one. */
function ZoneField({ control }: { control: Control<Values> }) {
  const t = useBillingWords();
  return (
    <Controller
      control={control}
      name="zone"
      render={({ field: { value = '', onChange, onBlur, ref }, fieldState: { error } }) => (
        <Autocomplete
          options={ZONES.includes(value) ? ZONES : [value, ...ZONES]}
          value={value}
          disableClearable
          onChange={(_, zone) => onChange(zone)}
          onBlur={onBlur}
          renderInput={(props) => (
            <TextField
              {...props}
              inputRef={ref}
              label={t('profile.zone')}
              error={error !== undefined}
              helperText={error?.message ?? t('profile.zoneHint')}
            />
          )}
        />
      )}
    />
  );
}
