// Back from a provider: asks how the login stands until there is an answer, for five minutes at most.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem, sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import type { LoginAnswer } from '@gantry/ui/session/after-login.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { ProviderButtons } from './provider-buttons.tsx';
import { forgetProviderLogin, keptProviderLogin, type Settings } from './provider-login.ts';
import { TermsCheckbox } from './terms-checkbox.tsx';
import { useEntryWords } from './use-entry-words.ts';

const AGAIN_MS = 1_500;

interface ProviderReturnProps {
  id: string;
  settings: Settings;
  onAnswer(answer: LoginAnswer, of: { next: string | null }): Promise<void>;
  onOver(sentence?: string): void;
}

export function ProviderReturn({ id, settings, onAnswer, onOver }: ProviderReturnProps) {
  const t = useEntryWords();
  const [login] = useState(() => keptProviderLogin(id, Date.now()));
  const [isNew, setNew] = useState(false);
  const [isAccepted, setAccepted] = useState(false);
  const end = (sentence?: string) => {
    forgetProviderLogin();
    onOver(sentence);
  };
  useAnswer(login, {
    late: () => end(t('provider.late')),
    answered: (answer) => {
      forgetProviderLogin();
      if (login) void onAnswer(answer, login);
    },
    failed: (error) => {
      if (error instanceof ApiProblem && error.error === 'terms_not_accepted') setNew(true);
      else end(error instanceof ApiProblem && error.error === 'not_found' ? t('provider.late') : sentenceOf(error));
    },
  });

  const name = settings.login_providers.find((provider) => provider.id === login?.provider)?.name ?? '';
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      {isNew && login ? (
        <>
          <Typography variant="h1">{name}</Typography>
          <Typography>{t('provider.newAccount')}</Typography>
          <TermsCheckbox version={settings.terms_version} isAccepted={isAccepted} onChange={setAccepted} />
          <ProviderButtons
            settings={settings}
            only={login.provider}
            termsVersion={settings.terms_version}
            isDisabled={!isAccepted}
          />
        </>
      ) : (
        <Box role="status" sx={{ display: 'grid', gap: 2.5, justifyItems: 'start' }}>
          <Typography variant="h1">{t('provider.waiting', { provider: name })}</Typography>
          <Typography>{t('provider.lead')}</Typography>
          <CircularProgress aria-hidden />
        </Box>
      )}
      <Button onClick={() => end()}>{t('provider.stop')}</Button>
    </Box>
  );
}

interface Heard {
  late(): void;
  answered(answer: LoginAnswer): void;
  failed(error: unknown): void;
}

/** Exactly one of them is called, once. */
function useAnswer(login: ReturnType<typeof keptProviderLogin>, heard: Heard): void {
  const api = useApi();
  // biome-ignore lint/correctness/useExhaustiveDependencies: one login is asked for once, whatever is drawn meanwhile
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => {
      if (!left.signal.aborted) timer = setTimeout(ask, AGAIN_MS);
    };
    const ask = async () => {
      if (!login || Date.now() >= login.until) return heard.late();
      try {
        const answer = await api.call(
          CALLS.getLogin,
          { params: { id: login.id } },
          { headers: { 'X-Login-Secret': login.secret }, signal: left.signal },
        );
        if (answer.pending) again();
        else heard.answered(answer);
      } catch (error) {
        if (error instanceof ApiProblem && error.isUnanswered) again();
        else if (!left.signal.aborted) heard.failed(error);
      }
    };
    // Later than this effect: what React does twice while developing must not take the token of one and show it to none.
    timer = setTimeout(ask);
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [login]);
}
