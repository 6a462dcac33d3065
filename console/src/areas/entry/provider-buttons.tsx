// One button for each provider. It leaves for the provider's page; new people accept the terms first.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { keepProviderLogin, type Settings } from './provider-login.ts';
import { useEntryWords } from './use-entry-words.ts';

interface ProviderButtonsProps {
  settings: Settings;
  /** One of them alone. */
  only?: string;
  /** Sent where the login may make an account. */
  termsVersion?: string;
  isDisabled?: boolean;
  /** The password comes first. */
  isSecond?: boolean;
}

export function ProviderButtons({ settings, only, termsVersion, isDisabled, isSecond }: ProviderButtonsProps) {
  const t = useEntryWords();
  const api = useApi();
  const locale = useLanguage();
  const [params] = useSearchParams();
  const [begun, setBegun] = useState<string>();
  const [error, setError] = useState<unknown>();

  const begin = async (provider: string) => {
    setBegun(provider);
    setError(undefined);
    try {
      const { id, url, secret } = await api.call(CALLS.login, {
        body: { provider, locale, ...(termsVersion !== undefined && { terms_version: termsVersion }) },
      });
      if (id === undefined || url === undefined || secret === undefined) throw new Error(t('provider.unreachable'));
      keepProviderLogin({ id, secret, provider, next: params.get('next') }, Date.now());
      location.assign(url);
    } catch (thrown) {
      setError(thrown);
      setBegun(undefined);
    }
  };
  const providers = settings.login_providers.filter(({ id }) => only === undefined || id === only);
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {error !== undefined && <Alert severity="error">{sentenceOf(error)}</Alert>}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="large"
          variant={isSecond ? 'outlined' : 'contained'}
          disabled={isDisabled || (begun !== undefined && begun !== id)}
          loading={begun === id}
          onClick={() => void begin(id)}
        >
          {t('login.with', { provider: name })}
        </Button>
      ))}
    </Box>
  );
}
