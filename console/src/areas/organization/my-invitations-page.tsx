// The person's own invitations, to accept or decline. Accepting enters the organisation.

import type { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import type { ItemOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import { sentenceOf } from '@gantry/ui/client/api-problem.ts';
import { useApi, useCommand, useList } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { EmptyState, ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useEnterOrganization } from './use-enter-organization.ts';
import { useOrganizationWords } from './use-organization-words.ts';

type Invitation = ItemOf<typeof ORGANIZATION_ROUTES.listMyInvitations>;

export function MyInvitationsPage() {
  const t = useOrganizationWords();
  const [params] = useSearchParams();
  const list = useList(CALLS.listMyInvitations, {}, { size: 100 });
  const code = params.get('code');
  // The one of the letter's link comes first.
  const items = list.items.toSorted((a, b) => Number(b.id === code) - Number(a.id === code));
  const isElsewhere = code !== null && !list.isLoading && !list.error && items[0]?.id !== code;
  return (
    <>
      <PageHeader title={t('mine.title')} lead={t('mine.lead')} />
      {isElsewhere && (
        <Alert severity="info" sx={{ mb: 2, maxWidth: 720 }}>
          {t('mine.elsewhere', { code })}
        </Alert>
      )}
      {list.error && items.length === 0 ? (
        <ErrorState error={list.error} onRetry={list.again} />
      ) : list.isLoading ? (
        <LoadingRows rows={3} height={96} />
      ) : list.isEmpty ? (
        <EmptyState title={t('mine.empty')} />
      ) : (
        <Box component="ul" sx={{ display: 'grid', gap: 2, p: 0, m: 0, listStyle: 'none', maxWidth: 720 }}>
          {items.map((invitation) => (
            <OneInvitation key={invitation.id} invitation={invitation} />
          ))}
        </Box>
      )}
    </>
  );
}

function OneInvitation({ invitation }: { invitation: Invitation }) {
  const { id, org_id, org_name, role, invited_by, expiration_time } = invitation;
  const t = useOrganizationWords();
  const api = useApi();
  const { enter } = useEnterOrganization();
  const [isEntering, setEntering] = useState(false);
  const [error, setError] = useState<string>();
  const decline = useCommand(CALLS.declineInvitation, {
    success: t('mine.declined', { name: org_name }),
    invalidates: [CALLS.listMyInvitations],
  });
  const accept = async () => {
    setEntering(true);
    setError(undefined);
    try {
      await api.call(CALLS.acceptInvitation, { params: { id } });
      await enter(org_id, '/home');
    } catch (thrown) {
      setError(sentenceOf(thrown));
      setEntering(false);
    }
  };
  const isBusy = isEntering || decline.isPending;
  return (
    <Paper component="li" variant="outlined" sx={{ p: 2, display: 'grid', gap: 1.5 }}>
      <Typography variant="h2" sx={{ overflowWrap: 'anywhere' }}>
        {org_name}
      </Typography>
      <Typography variant="body2">{t('mine.offer', { inviter: invited_by, role: t(`roles.${role}`) })}</Typography>
      <Box component="ul" sx={{ m: 0, pl: 2.5, typography: 'body2', color: 'text.secondary' }}>
        <li>{t('mine.role', { role: t(`roles.${role}`), hint: t(`roleHints.${role}`) })}</li>
        <li>{t('mine.consequence')}</li>
        <li>{t('mine.until', { time: timeText(expiration_time) })}</li>
      </Box>
      {error !== undefined && <Alert severity="error">{error}</Alert>}
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button
          variant="contained"
          loading={isEntering}
          disabled={isBusy}
          aria-label={t('mine.acceptOf', { name: org_name })}
          onClick={() => void accept()}
        >
          {t('mine.accept')}
        </Button>
        <Button
          loading={decline.isPending}
          disabled={isBusy}
          aria-label={t('mine.declineOf', { name: org_name })}
          onClick={() => decline.mutate({ params: { id } })}
        >
          {t('mine.decline')}
        </Button>
      </Box>
    </Paper>
  );
}
