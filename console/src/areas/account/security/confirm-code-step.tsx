// The secret as a picture and as text, and the first code that an authenticator makes of it.
import { sixDigits } from '@gantry/contract/fields/person.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useCommand } from '@gantry/ui/client/use-api.tsx';
import { FormText } from '@gantry/ui/form/fields.tsx';
import { rulesOf } from '@gantry/ui/form/rule-sentence.ts';
import { useServerForm } from '@gantry/ui/form/use-server-form.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { CopyField } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { QRCodeSVG } from 'qrcode.react';
import * as z from 'zod';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { useAccountWords } from '../use-account-words.ts';
import type { Enrolment } from './enrol-second-factor-dialog.tsx';

interface ConfirmCodeStepProps {
  enrolment: Enrolment;
  onConfirmed: (codes: readonly string[]) => void;
  onClose: () => void;
}

const QR_PX = 184;

export function ConfirmCodeStep({ enrolment, onConfirmed, onClose }: ConfirmCodeStepProps) {
  const t = useAccountWords();
  const language = useLanguage();
  const confirm = useCommand(CALLS.confirmTotp, {
    isQuiet: true,
    invalidates: [CALLS.listSessions],
    onSuccess: ({ recovery_codes }) => onConfirmed(recovery_codes),
  });
  const { form, error, submit } = useServerForm({
    defaultValues: { code: '' },
    resolver: rulesOf(z.object({ code: sixDigits }), language),
  });
  return (
    <FormDialog
      title={t('security.factor.turnOn')}
      lead={t('security.factor.scan')}
      submitLabel={t('security.factor.turnOn')}
      isBusy={confirm.isPending}
      error={error}
      onSubmit={submit((body) => confirm.mutateAsync({ body }))}
      onClose={onClose}
    >
      {/* A code that cameras read is dark on light, in either scheme. */}
      <Box sx={{ alignSelf: 'center', p: 1.5, bgcolor: '#fff', borderRadius: 1, lineHeight: 0 }}>
        <QRCodeSVG value={enrolment.uri} size={QR_PX} title={t('security.factor.qr')} />
      </Box>
      <Box>
        <Typography variant="body2" color="text.secondary" sx={{ mb: 0.5 }}>
          {t('security.factor.secretLead')}
        </Typography>
        <CopyField text={enrolment.secret} label={t('security.factor.secret')} />
      </Box>
      <FormText
        control={form.control}
        name="code"
        label={t('security.factor.code')}
        autoComplete="one-time-code"
        autoFocus
        isRequired
        slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 6 } }}
      />
    </FormDialog>
  );
}
