// The first step of a login: providers and the password, in the order of the settings.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { PlainInput } from '@gantry/ui/form/plain-input.tsx';
import { usePlainForm } from '@gantry/ui/form/use-plain-form.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import type { LoginAnswer } from '@gantry/ui/session/after-login.ts';
import { withNext } from '@gantry/ui/session/next-path.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { ProviderButtons } from './provider-buttons.tsx';
import type { Settings } from './provider-login.ts';
import { useEntryWords } from './use-entry-words.ts';

interface FirstStepProps {
  /** While they are on their way a password is asked for, which is what most installations do. */
  settings: Settings | undefined;
  /** Why one is here again. */
  notice: string | undefined;
  onAnswer(answer: LoginAnswer, of: { account?: string }): Promise<void>;
}

export function FirstStep({ settings, notice, onAnswer }: FirstStepProps) {
  const t = useEntryWords();
  const ui = useUiWords();
  const [params] = useSearchParams();
  const next = params.get('next');
  const hasProviders = settings?.login_types.includes('oidc') && settings.login_providers.length > 0;
  const hasPassword = settings === undefined || settings.login_types.includes('password');
  const isPasswordFirst = !hasProviders || settings?.login_types[0] === 'password';
  const password = hasPassword && <PasswordForm isFirst={isPasswordFirst} onAnswer={onAnswer} />;
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Box>
        <Typography variant="h1">{t('login.title')}</Typography>
        <Typography variant="body2" color="textSecondary">
          {t('login.lead')}
        </Typography>
      </Box>
      {notice !== undefined && <Alert severity="warning">{notice}</Alert>}
      {isPasswordFirst && password}
      {settings && hasProviders && !isPasswordFirst && <ProviderButtons settings={settings} />}
      {hasProviders && hasPassword && (
        <Divider>
          <Typography variant="body2" color="textSecondary">
            {t(isPasswordFirst ? 'login.orProvider' : 'login.or')}
          </Typography>
        </Divider>
      )}
      {settings && hasProviders && isPasswordFirst && <ProviderButtons settings={settings} isSecond />}
      {!isPasswordFirst && password}
      {hasPassword && (
        <Box sx={{ display: 'grid', gap: 1 }}>
          <Typography variant="body2">
            {t('login.noAccount')}{' '}
            <Link component={RouterLink} to={withNext('/register', next)}>
              {t('login.register')}
            </Link>
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('login.invited')}
          </Typography>
        </Box>
      )}
      <Typography variant="caption" color="textSecondary">
        {t('login.terms')}{' '}
        <Link component={RouterLink} to="/terms">
          {ui('links.terms')}
        </Link>
      </Typography>
    </Box>
  );
}

function PasswordForm({ isFirst, onAnswer }: { isFirst: boolean; onAnswer: FirstStepProps['onAnswer'] }) {
  const t = useEntryWords();
  const ui = useUiWords();
  const api = useApi();
  const form = usePlainForm(
    { account: '', password: '' },
    { account: t('login.accountMissing'), password: t('login.passwordMissing') },
  );
  const send = form.submit(async (typed) => {
    const account = typed.account.trim();
    await onAnswer(await api.call(CALLS.login, { body: { account, password: typed.password } }), { account });
  });
  return (
    <Box component="form" noValidate onSubmit={send} sx={{ display: 'grid', gap: 2 }}>
      {form.error !== undefined && <Alert severity="error">{form.error}</Alert>}
      <PlainInput
        field={form.field('account')}
        label={t('login.account')}
        autoComplete="username"
        isFocused={isFirst}
      />
      <PlainInput
        field={form.field('password')}
        label={ui('fields.password')}
        autoComplete="current-password"
        isSecret
      />
      <Button type="submit" size="large" variant={isFirst ? 'contained' : 'outlined'} loading={form.isSending}>
        {t('login.submit')}
      </Button>
      <Link component={RouterLink} to="/forgot" variant="body2" sx={{ justifySelf: 'start' }}>
        {t('login.forgot')}
      </Link>
    </Box>
  );
}
