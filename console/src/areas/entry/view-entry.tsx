// Staff come from the operators' console to look at a tenant's: the ticket of the address becomes this tab's session, once.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { endView, forgetView, storeView } from '@gantry/ui/session/view-session.ts';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useEntryWords } from './use-entry-words.ts';

/** Without a ticket the view of this tab is over. */
export function ViewEntry({ ticket, go = (path) => location.replace(path) }: ViewEntryProps) {
  const t = useEntryWords();
  const api = useApi();
  const [refusal, setRefusal] = useState<string>();
  const isSent = useRef(false);
  useEffect(() => {
    if (ticket === null || isSent.current) return;
    // Sent once: a ticket does not work twice.
    isSent.current = true;
    forgetView();
    history.replaceState(null, '', '/login');
    api
      .call(CALLS.startView, { body: { ticket } })
      .then((view) => {
        storeView({
          token: view.token,
          accountId: view.account_id,
          accountName: view.account_name,
          organizationId: view.org_id,
          organizationName: view.org_name,
          reason: view.reason,
          expiresAt: view.expires_at,
        });
        // Begins anew: what this tab has read so far was read as somebody else.
        go('/home');
      })
      .catch((error: Error) => {
        endView();
        setRefusal(error.message);
      });
  }, [ticket, api, go]);
  if (ticket === null) return <Alert severity="info">{t('view.over')}</Alert>;
  if (refusal !== undefined) return <Alert severity="error">{refusal}</Alert>;
  return (
    <>
      <Typography role="status">{t('view.opening')}</Typography>
      <LoadingRows rows={3} height={44} />
    </>
  );
}

interface ViewEntryProps {
  ticket: string | null;
  go?(path: string): void;
}
