// A person by name, ID card and phone.
import { REAL_AUTH_ROUTES, REAL_AUTH_TYPE } from '@gantry/contract/http/real-auth.ts';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useAccountWords } from '../use-account-words.ts';
import { CommitmentField } from './commitment-field.tsx';
import type { Submission } from './real-name-tab.tsx';
import { useSubmission } from './use-submission.ts';

interface Typed {
  type: typeof REAL_AUTH_TYPE.personal;
  name: string;
  id_card: string;
  phone: string;
  commitment: boolean;
}

export function PersonForm({ former }: { former: Submission | null }) {
  const t = useAccountWords();
  const language = useLanguage();
  const resolver = useMemo(() => rulesOf<Typed>(REAL_AUTH_ROUTES.submitRealAuth.body as never, language), [language]);
  const { form, error, submit } = useServerForm<Typed>({
    defaultValues: {
      type: REAL_AUTH_TYPE.personal,
      name: former?.name ?? '',
      id_card: former?.id_card ?? '',
      phone: former?.phone ?? '',
      commitment: false,
    },
    resolver,
  });
  const send = useSubmission(former);
  const { control } = form;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit((body) => send.mutateAsync({ body: { ...body, commitment: true } }))}
      sx={{ display: 'grid', gap: 2, maxWidth: '30rem' }}
    >
      <FormText control={control} name="name" label={t('realName.name')} autoComplete="name" isRequired />
      <FormText
        control={control}
        name="id_card"
        label={t('realName.idCard')}
        help={t('realName.idCardHelp')}
        autoComplete="off"
        isRequired
      />
      <FormText control={control} name="phone" label={t('realName.phone')} type="tel" autoComplete="tel" isRequired />
      <CommitmentField control={control} name="commitment" />
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <Button type="submit" variant="contained" loading={send.isPending} sx={{ justifySelf: 'start' }}>
        {former ? t('realName.resubmit') : t('realName.submit')}
      </Button>
    </Box>
  );
}
