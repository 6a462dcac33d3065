// A password that must be renewed before anything else; then one is signed in with the new one.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import type { LoginAnswer } from '@gantry/ui/session/after-login.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { NewPassword } from './new-password.tsx';
import { useEntryWords } from './use-entry-words.ts';

interface MustChangeProps {
  ticket: string;
  /** The account typed at login; without it the person logs in by hand afterwards. */
  account?: string;
  onAnswer(answer: LoginAnswer): Promise<void>;
  /** Starts again with the reason. */
  onOver(sentence: string): void;
}

export function MustChange({ ticket, account, onAnswer, onOver }: MustChangeProps) {
  const t = useEntryWords();
  const api = useApi();
  const save = async (password: string) => {
    try {
      await api.call(CALLS.resetPassword, { body: { ticket, password } });
    } catch (thrown) {
      // The ticket is over.
      if (!(thrown instanceof ApiProblem && thrown.error === 'modification_failed')) throw thrown;
      return onOver(thrown.message);
    }
    if (account === undefined) return onOver(t('forgot.done'));
    await onAnswer(await api.call(CALLS.login, { body: { account, password } }));
  };
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Box>
        <Typography variant="h1">{t('mustChange.title')}</Typography>
        <Typography variant="body2" color="textSecondary">
          {t('mustChange.lead')}
        </Typography>
      </Box>
      <NewPassword submitLabel={t('mustChange.submit')} onSubmit={save} />
    </Box>
  );
}
