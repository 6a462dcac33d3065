// Certifies an enterprise by its licence and its legal representative. Once approved, the account stays an enterprise: the form
// says so before it is sent.

import { REAL_AUTH_ROUTES, REAL_AUTH_TYPE } from '@gantry/contract/areas/identity/real-auth.ts';
import type { IdentityDocument } from '@gantry/contract/fields/identity-document.ts';
import type { InputOf } from '@gantry/contract/http/call.ts';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import * as z from 'zod';
import { useAccountWords } from '../use-account-words.ts';
import { CommitmentField } from './commitment-field.tsx';
import { DocumentFields, DocumentPicture } from './document-fields.tsx';
import { type DocumentValues, documentBody, documentValuesOf } from './document-values.ts';
import { FormPicture } from './form-picture.tsx';
import type { Submission } from './real-name-tab.tsx';
import { useSubmission } from './use-submission.ts';

const CARD_PICTURES = { id_front_picture: 'idFrontPicture', id_back_picture: 'idBackPicture' } as const;
type CardPicture = keyof typeof CARD_PICTURES;

interface EnterpriseValues extends DocumentValues, Record<CardPicture, string> {
  legal_name: string;
  enterprise_name: string;
  credit_code: string;
  contact_name: string;
  license_picture: string;
  commitment: boolean;
}
type Input = InputOf<typeof REAL_AUTH_ROUTES.submitRealAuth>;

function bodyOf({ id_front_picture, id_back_picture, ...values }: EnterpriseValues) {
  const { document, id_card, document_country, document_number, document_picture, ...rest } = values;
  const proof = documentBody({ document, id_card, document_country, document_number, document_picture });
  const pictures = document === 'idCard' ? { id_front_picture, id_back_picture } : {};
  return { type: REAL_AUTH_TYPE.enterprise, ...rest, ...proof, ...pictures };
}

const RULES = z.preprocess(bodyOf, REAL_AUTH_ROUTES.submitRealAuth.body) as unknown as z.ZodType<
  unknown,
  EnterpriseValues
>;

export function EnterpriseForm({
  former,
  accepted,
}: {
  former: Submission | null;
  accepted: readonly IdentityDocument[];
}) {
  const t = useAccountWords();
  const language = useLanguage();
  const resolver = useMemo(() => rulesOf<EnterpriseValues>(RULES, language), [language]);
  const { form, error, submit, show } = useServerForm<EnterpriseValues>({
    defaultValues: valuesOf(former, accepted),
    resolver,
  });
  const send = useSubmission(former);
  const [asked, setAsked] = useState<EnterpriseValues>();
  const { control } = form;
  const isOfCard = form.watch('document') === 'idCard';
  const ofDocument = form as unknown as UseFormReturn<DocumentValues>;
  const sendIt = async (values: EnterpriseValues) => {
    setAsked(undefined);
    await send.mutateAsync({ body: bodyOf(values) } as Input).catch(show);
  };
  return (
    <>
      <Box
        component="form"
        noValidate
        onSubmit={submit(async (values) => setAsked(values))}
        sx={{ display: 'grid', gap: 2, maxWidth: '48rem' }}
      >
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' } }}>
          <FormText
            control={control}
            name="enterprise_name"
            label={t('realName.enterpriseName')}
            autoComplete="organization"
            autoFocus
            isRequired
          />
          <FormText
            control={control}
            name="credit_code"
            label={t(isOfCard ? 'realName.creditCode' : 'realName.registrationNumber')}
            help={isOfCard ? t('realName.creditCodeHelp') : undefined}
            autoComplete="off"
            isRequired
          />
          <FormText control={control} name="legal_name" label={t('realName.legalName')} autoComplete="off" isRequired />
          <DocumentFields form={ofDocument} accepted={accepted} idCardLabel={t('realName.legalIdCard')} />
          <FormText
            control={control}
            name="contact_name"
            label={t('realName.contactName')}
            autoComplete="name"
            isRequired
          />
        </Box>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(13rem, 1fr))' }}>
          <FormPicture control={control} name="license_picture" label={t('realName.licensePicture')} />
          {isOfCard ? (
            (Object.keys(CARD_PICTURES) as CardPicture[]).map((name) => (
              <FormPicture key={name} control={control} name={name} label={t(`realName.${CARD_PICTURES[name]}`)} />
            ))
          ) : (
            <DocumentPicture form={ofDocument} />
          )}
        </Box>
        <CommitmentField control={control} name="commitment" />
        {error !== undefined && <Alert severity="error">{error}</Alert>}
        <Button type="submit" variant="contained" loading={send.isPending} sx={{ justifySelf: 'start' }}>
          {former ? t('realName.resubmit') : t('realName.submit')}
        </Button>
      </Box>
      {asked && (
        <ConfirmDialog
          title={t('realName.enterprise.askTitle')}
          confirmLabel={t('realName.submit')}
          onConfirm={() => void sendIt(asked)}
          onClose={() => setAsked(undefined)}
        >
          {t('realName.enterprise.forEver')}
        </ConfirmDialog>
      )}
    </>
  );
}

const valuesOf = (former: Submission | null, accepted: readonly IdentityDocument[]): EnterpriseValues => ({
  ...documentValuesOf(former, accepted),
  legal_name: former?.name ?? '',
  enterprise_name: former?.enterprise_name ?? '',
  credit_code: former?.credit_code ?? '',
  contact_name: former?.contact_name ?? '',
  license_picture: former?.license_picture ?? '',
  id_front_picture: former?.id_front_picture ?? '',
  id_back_picture: former?.id_back_picture ?? '',
  commitment: false,
});
