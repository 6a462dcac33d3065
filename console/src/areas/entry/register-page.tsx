// A new account: an address that is proven by a code, then a name and a password; afterwards one is signed in.

import { withNext } from '@gantry/ui/session/next-path.ts';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, useLocation, useSearchParams } from 'react-router';
import { CodeStep } from './code-step.tsx';
import { EntryCard } from './entry-card.tsx';
import { useProof } from './kept-proof.ts';
import { NewAccount } from './new-account.tsx';
import { OtherAddress } from './other-address.tsx';
import { useEntryWords } from './use-entry-words.ts';

const STEP = { address: 1, account: 2 } as const;

export function RegisterPage() {
  const t = useEntryWords();
  const settings = useSettings();
  const [params] = useSearchParams();
  // A mail's link carries the address in a part that no server and no other page reads.
  const brought = new URLSearchParams(useLocation().hash.slice(1)).get('email') ?? undefined;
  const { proof, keep, forget } = useProof('register', brought);
  const ticket = proof?.ticket;
  const channel = settings.data?.register_type ?? 'email';
  const step = ticket === undefined ? STEP.address : STEP.account;
  const addressLead = channel === 'email' ? 'register.addressEmail' : 'register.addressPhone';
  return (
    <EntryCard
      title={t('register.title')}
      above={t('register.step', { step })}
      lead={t(step === STEP.address ? addressLead : 'register.accountLead')}
    >
      {settings.error && !settings.data ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : !settings.data ? (
        <LoadingRows rows={5} height={44} />
      ) : ticket === undefined ? (
        <CodeStep channel={channel} purpose="register" proof={proof} address={brought} onProof={keep} />
      ) : (
        <>
          <NewAccount ticket={ticket} address={proof?.address ?? ''} termsVersion={settings.data.terms_version} />
          <OtherAddress onClick={forget} />
        </>
      )}
      <Typography variant="body2">
        {t('register.haveAccount')}{' '}
        <Link component={RouterLink} to={withNext('/login', params.get('next'))}>
          {t('register.signIn')}
        </Link>
      </Typography>
    </EntryCard>
  );
}
