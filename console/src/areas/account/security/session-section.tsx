// The sessions of the account, with this browser marked: one can be ended, or all but this.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf, useApi, useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { ConfirmDialog } from '@gantry/ui/widgets/confirm-dialog.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '../../../parts/section.tsx';
import { useAccountWords } from '../use-account-words.ts';
import { type OwnSession, SessionRow } from './session-row.tsx';

export function SessionSection() {
  const t = useAccountWords();
  const ui = useUiWords();
  const sessions = useList(CALLS.listSessions);
  const [isAsked, setAsked] = useState(false);
  const end = useCommand(CALLS.endSession, { invalidates: [CALLS.listSessions] });
  const others = useEndOthers(() => setAsked(false));
  // This one first: everything else is compared with it.
  const rows = sessions.items.toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
  const hasOthers = (sessions.total ?? 0) > 1;
  return (
    <Section
      title={t('security.sessions.title')}
      lead={t('security.sessions.lead')}
      actions={
        hasOthers && (
          <Button color="error" variant="outlined" onClick={() => setAsked(true)}>
            {t('security.sessions.endOthers')}
          </Button>
        )
      }
    >
      {sessions.error && <ErrorState error={sessions.error} onRetry={sessions.again} />}
      {sessions.isLoading && <LoadingRows rows={2} height={64} />}
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {rows.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables.params.id === session.id}
            onEnd={() => end.mutate({ params: { id: session.id } })}
          />
        ))}
      </Box>
      {sessions.hasMore && (
        <Button onClick={sessions.more} loading={sessions.isLoadingMore}>
          {ui('actions.more')}
        </Button>
      )}
      {isAsked && (
        <ConfirmDialog
          title={t('security.sessions.endOthers')}
          confirmLabel={t('security.sessions.endOthers')}
          isDangerous
          isBusy={others.isPending}
          error={others.error}
          onConfirm={() => others.mutate()}
          onClose={() => setAsked(false)}
        >
          {t('security.sessions.endOthersLead')}
        </ConfirmDialog>
      )}
    </Section>
  );
}

const MOST = 1000;

/** One after the other; sessions that ended meanwhile are no failure. */
function useEndOthers(onDone: () => void) {
  const api = useApi();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { items } = await api.call(CALLS.listSessions, { query: { size: MOST } });
      const others = items.filter((each: OwnSession) => !each.is_current);
      for (const { id } of others)
        await api.call(CALLS.endSession, { params: { id } }).catch((error) => {
          if (error.status !== 404) throw error;
        });
    },
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(CALLS.listSessions) }),
  });
}
