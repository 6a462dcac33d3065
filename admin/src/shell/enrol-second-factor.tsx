// The page for installations that ask their staff for a second factor: nothing else opens until there is one.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { PlainInput } from '@gantry/ui/form/plain-input.tsx';
import { usePlainForm } from '@gantry/ui/form/use-plain-form.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { CopyField } from '@gantry/ui/widgets/copy-button.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import type { words as english } from '../words/en/shell.ts';
import { logOut } from './end-session.ts';

const QR_PX = 184;

export function EnrolSecondFactor() {
  const t = useAreaWords<typeof english>('shell');
  const api = useApi();
  const [enrolment, setEnrolment] = useState<{ secret: string; uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  const password = usePlainForm({ password: '' }, { password: t('second.missing') });
  const code = usePlainForm({ code: '' }, { code: t('second.missing') });
  return (
    <Box
      component="main"
      sx={{ minHeight: '100dvh', display: 'grid', placeContent: 'center', gap: 2, p: 2, maxWidth: 480, mx: 'auto' }}
    >
      <Typography variant="h1">{t('second.title')}</Typography>
      {codes ? (
        <>
          <Typography>{t('second.recovery')}</Typography>
          <CopyField text={codes.join('\n')} label={t('second.title')} />
          <Button variant="contained" onClick={() => location.reload()}>
            {t('second.done')}
          </Button>
        </>
      ) : enrolment ? (
        <Box
          component="form"
          noValidate
          onSubmit={code.submit(async (typed) => {
            const answer = await api.call(CALLS.confirmTotp, { body: { code: typed.code.replace(/\s/g, '') } });
            setCodes(answer.recovery_codes);
          })}
          sx={{ display: 'grid', gap: 2 }}
        >
          {code.error !== undefined && <Alert severity="error">{code.error}</Alert>}
          {/* What cameras read is dark on light, in either scheme. */}
          <Box sx={{ justifySelf: 'center', p: 1.5, bgcolor: '#fff', borderRadius: 1, lineHeight: 0 }}>
            <QRCodeSVG value={enrolment.uri} size={QR_PX} title={t('second.title')} />
          </Box>
          <Typography variant="body2">{t('second.secret')}</Typography>
          <CopyField text={enrolment.secret} label={t('second.secret')} />
          <PlainInput field={code.field('code')} label={t('second.code')} autoComplete="one-time-code" isFocused />
          <Button type="submit" variant="contained" loading={code.isSending}>
            {t('second.confirm')}
          </Button>
        </Box>
      ) : (
        <Box
          component="form"
          noValidate
          onSubmit={password.submit(async (body) => setEnrolment(await api.call(CALLS.enrolTotp, { body })))}
          sx={{ display: 'grid', gap: 2 }}
        >
          <Typography>{t('second.lead')}</Typography>
          {password.error !== undefined && <Alert severity="error">{password.error}</Alert>}
          <PlainInput
            field={password.field('password')}
            label={t('second.password')}
            autoComplete="current-password"
            isSecret
            isFocused
          />
          <Button type="submit" variant="contained" loading={password.isSending}>
            {t('second.start')}
          </Button>
        </Box>
      )}
      <Button onClick={() => void logOut(api)}>{t('user.logout')}</Button>
    </Box>
  );
}
