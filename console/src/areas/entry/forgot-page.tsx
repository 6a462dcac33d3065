// A forgotten password: a code to the account's address, then a new one.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useSettings } from '@gantry/ui/session/use-settings.ts';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink, useNavigate } from 'react-router';
import { CodeStep } from './code-step.tsx';
import { EntryCard } from './entry-card.tsx';
import { explained } from './explained.ts';
import { forgetProof, useProof } from './kept-proof.ts';
import { NewPassword } from './new-password.tsx';
import { OtherAddress } from './other-address.tsx';
import { useEntryWords } from './use-entry-words.ts';

export function ForgotPage() {
  const t = useEntryWords();
  const api = useApi();
  const toast = useToast();
  const navigate = useNavigate();
  const settings = useSettings();
  const { proof, keep, forget } = useProof('reset');
  const ticket = proof?.ticket;
  const save = async (password: string) => {
    await api.call(CALLS.resetPassword, { body: { ticket: ticket ?? '', password } }).catch((thrown) => {
      throw explained(thrown, { modification_failed: (sentence) => t('code.over', { sentence }) });
    });
    forgetProof('reset');
    toast.success(t('forgot.done'));
    await navigate('/login', { replace: true });
  };
  return (
    <EntryCard title={t('forgot.title')} lead={t(ticket === undefined ? 'forgot.lead' : 'forgot.newLead')}>
      {settings.error && !settings.data ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : !settings.data ? (
        <LoadingRows rows={5} height={44} />
      ) : ticket === undefined ? (
        <CodeStep channel={settings.data.register_type} purpose="reset" proof={proof} onProof={keep} />
      ) : (
        <>
          <NewPassword submitLabel={t('forgot.submit')} onSubmit={save} />
          <OtherAddress onClick={forget} />
        </>
      )}
      <Typography variant="body2">
        <Link component={RouterLink} to="/login">
          {t('forgot.back')}
        </Link>
      </Typography>
    </EntryCard>
  );
}
