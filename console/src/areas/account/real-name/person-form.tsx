// A person by name, document and phone.

import { REAL_AUTH_ROUTES, REAL_AUTH_TYPE } from '@gantry/contract/areas/identity/real-auth.ts';
import type { IdentityDocument } from '@gantry/contract/fields/identity-document.ts';
import type { InputOf } from '@gantry/contract/http/call.ts';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod';
import { useAccountWords } from '../use-account-words.ts';
import { CommitmentField } from './commitment-field.tsx';
import { DocumentFields, DocumentPicture } from './document-fields.tsx';
import { type DocumentValues, documentBody, documentValuesOf } from './document-values.ts';
import type { Submission } from './real-name-tab.tsx';
import { useSubmission } from './use-submission.ts';

interface PersonValues extends DocumentValues {
  name: string;
  phone: string;
  commitment: boolean;
}
type Input = InputOf<typeof REAL_AUTH_ROUTES.submitRealAuth>;

const bodyOf = ({ name, phone, commitment, ...document }: PersonValues) => ({
  type: REAL_AUTH_TYPE.personal,
  name,
  phone: phone.trim(),
  commitment,
  ...documentBody(document),
});

const RULES = z.preprocess(bodyOf, REAL_AUTH_ROUTES.submitRealAuth.body) as unknown as z.ZodType<unknown, PersonValues>;

export function PersonForm({ former, accepted }: { former: Submission | null; accepted: readonly IdentityDocument[] }) {
  const t = useAccountWords();
  const language = useLanguage();
  const resolver = useMemo(() => rulesOf<PersonValues>(RULES, language), [language]);
  const { form, error, submit } = useServerForm<PersonValues>({
    defaultValues: {
      name: former?.name ?? '',
      phone: former?.phone ?? '',
      commitment: false,
      ...documentValuesOf(former, accepted),
    },
    resolver,
  });
  const send = useSubmission(former);
  const { control } = form;
  const ofDocument = form as unknown as UseFormReturn<DocumentValues>;
  return (
    <Box
      component="form"
      noValidate
      onSubmit={submit((values) => send.mutateAsync({ body: bodyOf(values) } as Input))}
      sx={{ display: 'grid', gap: 2, maxWidth: '30rem' }}
    >
      <FormText
        control={control}
        name="name"
        label={t('realName.name')}
        // Keeps the place of its error: whoever presses the next field first would see that move away.
        help=" "
        autoComplete="name"
        autoFocus
        isRequired
      />
      <DocumentFields form={ofDocument} accepted={accepted} idCardLabel={t('realName.idCard')} />
      {form.watch('document') !== 'idCard' && <DocumentPicture form={ofDocument} />}
      <FormText
        control={control}
        name="phone"
        label={t('realName.phone')}
        help={t('realName.phoneHelp')}
        type="tel"
        autoComplete="tel"
        isRequired
      />
      <CommitmentField control={control} name="commitment" />
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <Button type="submit" variant="contained" loading={send.isPending} sx={{ justifySelf: 'start' }}>
        {former ? t('realName.resubmit') : t('realName.submit')}
      </Button>
    </Box>
  );
}
