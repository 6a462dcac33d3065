// Certifies an enterprise by its licence and its legal representative. Once approved, the account stays an enterprise: the form
// says so before it is sent.
import { REAL_AUTH_ROUTES, REAL_AUTH_TYPE } from '@gantry/contract/http/real-auth.ts';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { Controller } from 'react-hook-form';
import { useAccountWords } from '../use-account-words.ts';
import { CommitmentField } from './commitment-field.tsx';
import { PictureField } from './picture-field.tsx';
import type { Submission } from './real-name-tab.tsx';
import { useSubmission } from './use-submission.ts';

const PICTURES = {
  license_picture: 'licensePicture',
  id_front_picture: 'idFrontPicture',
  id_back_picture: 'idBackPicture',
} as const;
type PictureName = keyof typeof PICTURES;
const PICTURE_NAMES = Object.keys(PICTURES) as PictureName[];

type Typed = {
  type: typeof REAL_AUTH_TYPE.enterprise;
  legal_name: string;
  enterprise_name: string;
  credit_code: string;
  id_card: string;
  contact_name: string;
  commitment: boolean;
} & Record<PictureName, string>;

export function EnterpriseForm({ former }: { former: Submission | null }) {
  const t = useAccountWords();
  const language = useLanguage();
  const resolver = useMemo(() => rulesOf<Typed>(REAL_AUTH_ROUTES.submitRealAuth.body as never, language), [language]);
  const { form, error, submit, show } = useServerForm<Typed>({ defaultValues: valuesOf(former), resolver });
  const send = useSubmission(former);
  const [asked, setAsked] = useState<Typed>();
  const { control } = form;
  const sendIt = async (typed: Typed) => {
    setAsked(undefined);
    await send.mutateAsync({ body: { ...typed, commitment: true } }).catch(show);
  };
  return (
    <>
      <Box
        component="form"
        noValidate
        onSubmit={submit(async (typed) => setAsked(typed))}
        sx={{ display: 'grid', gap: 2, maxWidth: '48rem' }}
      >
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' } }}>
          <FormText
            control={control}
            name="enterprise_name"
            label={t('realName.enterpriseName')}
            autoComplete="organization"
            isRequired
          />
          <FormText
            control={control}
            name="credit_code"
            label={t('realName.creditCode')}
            help={t('realName.creditCodeHelp')}
            autoComplete="off"
            isRequired
          />
          <FormText control={control} name="legal_name" label={t('realName.legalName')} autoComplete="off" isRequired />
          <FormText
            control={control}
            name="id_card"
            label={t('realName.legalIdCard')}
            help={t('realName.idCardHelp')}
            autoComplete="off"
            isRequired
          />
          <FormText
            control={control}
            name="contact_name"
            label={t('realName.contactName')}
            autoComplete="name"
            isRequired
          />
        </Box>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'repeat(auto-fit, minmax(13rem, 1fr))' }}>
          {PICTURE_NAMES.map((name) => (
            <Controller
              key={name}
              control={control}
              name={name}
              render={({ field: { ref, value, onChange }, fieldState }) => (
                <PictureField
                  label={t(`realName.${PICTURES[name]}`)}
                  value={value}
                  onChange={(picture) => {
                    onChange(picture);
                    form.clearErrors(name);
                  }}
                  error={fieldState.error?.message}
                  focusRef={ref}
                />
              )}
            />
          ))}
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

const valuesOf = (former: Submission | null): Typed => ({
  type: REAL_AUTH_TYPE.enterprise,
  legal_name: former?.name ?? '',
  enterprise_name: former?.enterprise_name ?? '',
  credit_code: former?.credit_code ?? '',
  id_card: former?.id_card ?? '',
  contact_name: former?.contact_name ?? '',
  license_picture: former?.license_picture ?? '',
  id_front_picture: former?.id_front_picture ?? '',
  id_back_picture: former?.id_back_picture ?? '',
  commitment: false,
});
