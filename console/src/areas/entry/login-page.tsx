// Signing in: account and password, a second factor, a password that must be renewed, or a provider. Beside it what the GPUs cost.

import { type AfterLogin, afterLogin, type LoginAnswer } from '@gantry/ui/session/after-login.ts';
import { nextPath } from '@gantry/ui/session/next-path.ts';
import { readToken } from '@gantry/ui/session/session.ts';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { isViewing } from '@gantry/ui/session/view-session.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import { Suspense, useState } from 'react';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { lazyPart } from '../../parts/lazy-part.ts';
import { OpenPage } from '../../parts/open-page.tsx';
import { FirstStep } from './first-step.tsx';
import { Offers } from './offers.tsx';
import { SecondFactor } from './second-factor.tsx';
import { useEnter } from './use-enter.ts';
import { useEntryWords } from './use-entry-words.ts';

// Rarely needed parts load separately: the first has schemas, the second the terms.
const MustChange = lazyPart(() => import('./must-change.tsx'), 'MustChange');
const ProviderReturn = lazyPart(() => import('./provider-return.tsx'), 'ProviderReturn');

// Staff of the platform alone need it.
const ViewEntry = lazyPart(() => import('./view-entry.tsx'), 'ViewEntry');

/** The person who is logging in, and how far they are. */
interface Progress {
  readonly step: AfterLogin;
  /** The account that was typed; undefined for a provider's. */
  readonly account?: string;
  readonly next?: string | null;
}

const BEGINNING: Progress = { step: { next: 'again' } };

export function LoginPage() {
  const t = useEntryWords();
  const [params] = useSearchParams();
  const ticket = params.get('view');
  if (ticket !== null || isViewing())
    return (
      <OpenPage title={t('view.title')} maxWidth={640}>
        <Suspense fallback={<LoadingRows rows={3} height={44} />}>
          <ViewEntry ticket={ticket} />
        </Suspense>
      </OpenPage>
    );
  return (
    <OpenPage title={t('login.title')} maxWidth={1200}>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 420px) minmax(0, 1fr)' },
          gap: { xs: 4, md: 8 },
          alignItems: 'start',
        }}
      >
        <Paper variant="outlined" sx={{ p: { xs: 2, sm: 4 } }}>
          <Steps />
        </Paper>
        <Offers />
      </Box>
    </OpenPage>
  );
}

function Steps() {
  const [params, setParams] = useSearchParams();
  const [progress, setProgress] = useState(BEGINNING);
  const [notice, setNotice] = useState<string>();
  const settings = useSettings();
  const enter = useEnter();
  const returned = params.get('login');
  // As it was when the page came: signing in does not change the page that one is about to leave.
  const [isSignedIn] = useState(() => readToken() !== undefined);

  const restart = (sentence?: string) => {
    setNotice(sentence);
    setProgress(BEGINNING);
    params.delete('login');
    setParams(params, { replace: true });
  };
  /** Gives what a form waits for. */
  const proceed = async (answer: LoginAnswer, of: Omit<Progress, 'step'>) => {
    const step = afterLogin(answer);
    setNotice(undefined);
    if (step.next === 'enter') await enter(step, of.next);
    else setProgress({ ...of, step });
  };

  if (settings.error && !settings.data)
    return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />;
  const { step, account, next } = progress;
  if (step.next === 'secondFactor') {
    return (
      <SecondFactor
        ticket={step.ticket}
        onAnswer={(answer) => proceed(answer, progress)}
        onOver={restart}
        onBack={() => restart()}
      />
    );
  }
  if (step.next === 'newPassword') {
    return (
      <Suspense fallback={<LoadingRows rows={6} height={44} />}>
        <MustChange
          ticket={step.ticket}
          {...(account !== undefined && { account })}
          onAnswer={(answer) => proceed(answer, { ...progress, ...(next !== undefined && { next }) })}
          onOver={restart}
        />
      </Suspense>
    );
  }
  if (returned !== null) {
    if (!settings.data) return <LoadingRows rows={6} height={44} />;
    return (
      <Suspense fallback={<LoadingRows rows={6} height={44} />}>
        <ProviderReturn id={returned} settings={settings.data} onAnswer={proceed} onOver={restart} />
      </Suspense>
    );
  }
  return (
    <>
      {isSignedIn && <SignedIn next={params.get('next')} />}
      <FirstStep settings={settings.data} notice={notice} onAnswer={proceed} />
    </>
  );
}

function SignedIn({ next }: { next: string | null }) {
  const t = useEntryWords();
  return (
    <Alert severity="info" sx={{ mb: 3 }}>
      {t('login.already')}{' '}
      <Link component={RouterLink} to={nextPath(next)}>
        {t('login.toConsole')}
      </Link>
    </Alert>
  );
}
