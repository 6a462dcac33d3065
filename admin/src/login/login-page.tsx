// Staff sign in here, with a session that the tenants' console does not share: password, second factor, and a password that must
// be changed.

import { CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { PlainInput } from '@gantry/ui/form/plain-input.tsx';
import { type PlainForm, type Texts, usePlainForm } from '@gantry/ui/form/use-plain-form.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import { type AfterLogin, afterLogin, type LoginAnswer } from '@gantry/ui/session/after-login.ts';
import { nextPath } from '@gantry/ui/session/next-path.ts';
import { storeSession } from '@gantry/ui/session/session.ts';
import { LanguageSelect } from '@gantry/ui/widgets/language-select.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { words as english } from '../words/en/login.ts';

const useLoginWords = () => useAreaWords<typeof english>('login');

interface Progress {
  readonly step: AfterLogin;
  readonly account: string;
  readonly notice?: string;
}

export function LoginPage() {
  const t = useLoginWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [{ step, account, notice }, setProgress] = useState<Progress>({ step: { next: 'again' }, account: '' });

  const restart = (sentence?: string) =>
    setProgress({ step: { next: 'again' }, account, ...(sentence !== undefined && { notice: sentence }) });
  const proceed = async (answer: LoginAnswer, of = account) => {
    const after = afterLogin(answer);
    if (after.next !== 'enter') return setProgress({ step: after, account: of });
    storeSession(after.session, after.expiresAt);
    // Data that somebody else read on this machine are not shown to the new person.
    client.removeQueries({ predicate: ({ queryKey: [id] }) => id !== CALLS.getSettings.id });
    await navigate(nextPath(params.get('next')), { replace: true });
  };
  return (
    <Box
      component="main"
      sx={{ minHeight: '100dvh', display: 'grid', placeContent: 'center', justifyItems: 'center', gap: 3, p: 2 }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, fontWeight: 700, fontSize: 20 }}>
        <img src="/favicon.svg" width={32} height={32} alt="" />
        <span>{t('product')}</span>
      </Box>
      <Paper variant="outlined" sx={{ p: { xs: 2, sm: 4 }, width: 'min(420px, calc(100vw - 32px))' }}>
        {step.next === 'secondFactor' ? (
          <SecondFactor ticket={step.ticket} onAnswer={proceed} onOver={restart} />
        ) : step.next === 'newPassword' ? (
          <NewPassword ticket={step.ticket} account={account} onAnswer={proceed} onOver={restart} />
        ) : (
          <PasswordStep notice={notice} onAnswer={proceed} />
        )}
      </Paper>
      <LanguageSelect />
    </Box>
  );
}

interface StepProps<Values extends Texts> {
  title: string;
  lead: string;
  submitLabel: string;
  form: PlainForm<Values>;
  onSubmit: Parameters<PlainForm<Values>['submit']>[0];
  notice?: string | undefined;
  children: ReactNode;
}

function Step<Values extends Texts>({ title, lead, submitLabel, form, onSubmit, notice, children }: StepProps<Values>) {
  return (
    <Box component="form" noValidate onSubmit={form.submit(onSubmit)} sx={{ display: 'grid', gap: 2.5 }}>
      <Box>
        <Typography variant="h1">{title}</Typography>
        <Typography variant="body2" color="textSecondary">
          {lead}
        </Typography>
      </Box>
      {notice !== undefined && <Alert severity="warning">{notice}</Alert>}
      {form.error !== undefined && <Alert severity="error">{form.error}</Alert>}
      {children}
      <Button type="submit" size="large" variant="contained" loading={form.isSending}>
        {submitLabel}
      </Button>
    </Box>
  );
}

interface PasswordStepProps {
  notice: string | undefined;
  onAnswer(answer: LoginAnswer, account: string): Promise<void>;
}

function PasswordStep({ notice, onAnswer }: PasswordStepProps) {
  const t = useLoginWords();
  const api = useApi();
  const form = usePlainForm(
    { account: '', password: '' },
    { account: t('accountMissing'), password: t('passwordMissing') },
  );
  return (
    <Step
      title={t('title')}
      lead={t('lead')}
      submitLabel={t('submit')}
      form={form}
      notice={notice}
      onSubmit={async (typed) => {
        const account = typed.account.trim();
        await onAnswer(await api.call(CALLS.login, { body: { account, password: typed.password } }), account);
      }}
    >
      <PlainInput field={form.field('account')} label={t('account')} autoComplete="username" isFocused />
      <PlainInput field={form.field('password')} label={t('password')} autoComplete="current-password" isSecret />
    </Step>
  );
}

interface TicketProps {
  ticket: string;
  onAnswer(answer: LoginAnswer): Promise<void>;
  /** The ticket has expired: starts again with the reason. */
  onOver(sentence: string): void;
}

function SecondFactor({ ticket, onAnswer, onOver }: TicketProps) {
  const t = useLoginWords();
  const api = useApi();
  const form = usePlainForm({ code: '' }, { code: t('codeMissing') });
  return (
    <Step
      title={t('second')}
      lead={t('secondLead')}
      submitLabel={t('submit')}
      form={form}
      onSubmit={async ({ code }) => {
        try {
          await onAnswer(await api.call(CALLS.login, { body: { ticket, code: code.replace(/\s/g, '') } }));
        } catch (thrown) {
          if (!(thrown instanceof ApiProblem && thrown.error === 'login_over')) throw thrown;
          onOver(thrown.message);
        }
      }}
    >
      <PlainInput field={form.field('code')} label={t('code')} autoComplete="one-time-code" isFocused />
    </Step>
  );
}

function NewPassword({ ticket, account, onAnswer, onOver }: TicketProps & { account: string }) {
  const t = useLoginWords();
  const api = useApi();
  const form = usePlainForm(
    { password: '', repeat: '' },
    { password: t('passwordMissing'), repeat: t('passwordMissing') },
  );
  return (
    <Step
      title={t('change')}
      lead={t('changeLead')}
      submitLabel={t('changeSubmit')}
      form={form}
      onSubmit={async ({ password, repeat }) => {
        if (password !== repeat) throw new Error(t('mismatch'));
        try {
          await api.call(CALLS.resetPassword, { body: { ticket, password } });
        } catch (thrown) {
          // The ticket is over.
          if (!(thrown instanceof ApiProblem && thrown.error === 'modification_failed')) throw thrown;
          return onOver(thrown.message);
        }
        await onAnswer(await api.call(CALLS.login, { body: { account, password } }));
      }}
    >
      <PlainInput
        field={form.field('password')}
        label={t('newPassword')}
        autoComplete="new-password"
        isSecret
        isFocused
      />
      <PlainInput field={form.field('repeat')} label={t('repeat')} autoComplete="new-password" isSecret />
    </Step>
  );
}
