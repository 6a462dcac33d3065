// The page, once the organisation is ready; until then what it waits for.

import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf } from '@gantry/ui/client/use-api.tsx';
import { ErrorState } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useOrganization } from '../parts/use-me.ts';
import { useShellWords } from './use-shell-words.ts';

const ASK_EVERY_MS = 2_000;

export function OrganizationGate({ children }: { children: ReactNode }) {
  const t = useShellWords();
  const client = useQueryClient();
  const { data: mine, error, refetch } = useOrganization();
  const isWaiting = mine?.phase === 'preparing';

  // The stream reports it too; but newcomers wait here for nothing else.
  useEffect(() => {
    if (!isWaiting) return;
    const again = () => void client.invalidateQueries({ queryKey: keyOf(CALLS.getMyOrganization) });
    const timer = setInterval(again, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [client, isWaiting]);

  if (mine?.phase === 'ready') return children;
  if (!mine && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!mine || isWaiting)
    return (
      <Waiting
        title={mine ? t('organization.preparing') : ''}
        hint={mine ? t('organization.preparingHint') : ''}
        isBusy
      />
    );
  return (
    <Waiting
      title={t(mine.phase === 'deleting' ? 'organization.deleting' : 'organization.failed')}
      hint={t('organization.otherHint')}
    />
  );
}

function Waiting({ title, hint, isBusy = false }: { title: string; hint: string; isBusy?: boolean }) {
  return (
    <Box
      role="status"
      sx={{ minHeight: '60vh', display: 'grid', placeContent: 'center', justifyItems: 'center', gap: 2 }}
    >
      {isBusy && <CircularProgress aria-hidden />}
      <Typography variant="h1" sx={{ textAlign: 'center' }}>
        {title}
      </Typography>
      <Typography color="text.secondary" sx={{ textAlign: 'center' }}>
        {hint}
      </Typography>
    </Box>
  );
}
