// The second step of a login: what an authenticator shows, or a recovery code.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { PlainInput } from '@gantry/ui/form/plain-input.tsx';
import { usePlainForm } from '@gantry/ui/form/use-plain-form.ts';
import type { LoginAnswer } from '@gantry/ui/session/after-login.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEntryWords } from './use-entry-words.ts';

interface SecondFactorProps {
  ticket: string;
  onAnswer(answer: LoginAnswer): Promise<void>;
  /** The ticket has expired: starts again with the reason. */
  onOver(sentence: string): void;
  onBack(): void;
}

export function SecondFactor({ ticket, onAnswer, onOver, onBack }: SecondFactorProps) {
  const t = useEntryWords();
  const api = useApi();
  const form = usePlainForm({ code: '' }, { code: t('second.missing') });
  const send = form.submit(async ({ code }) => {
    try {
      await onAnswer(await api.call(CALLS.login, { body: { ticket, code: code.replace(/\s/g, '') } }));
    } catch (thrown) {
      if (!(thrown instanceof ApiProblem && thrown.error === 'login_over')) throw thrown;
      onOver(thrown.message);
    }
  });
  return (
    <Box component="form" noValidate onSubmit={send} sx={{ display: 'grid', gap: 2.5 }}>
      <Box>
        <Typography variant="h1">{t('second.title')}</Typography>
        <Typography variant="body2" color="textSecondary">
          {t('second.lead')}
        </Typography>
      </Box>
      {form.error !== undefined && <Alert severity="error">{form.error}</Alert>}
      <PlainInput field={form.field('code')} label={t('second.code')} autoComplete="one-time-code" isFocused />
      <Button type="submit" size="large" variant="contained" loading={form.isSending}>
        {t('second.submit')}
      </Button>
      <Button onClick={onBack}>{t('second.back')}</Button>
    </Box>
  );
}
