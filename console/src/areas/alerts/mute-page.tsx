// Where the link of a mail leads: a program that opens links mutes nothing, a person who confirms it does. The token stands after
// the #, which no server is told.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { OpenPage } from '../../parts/open-page.tsx';
import { useAlertWords } from './use-alert-words.ts';

interface Found {
  policy: string;
  muted_until: string | null;
}

export function MutePage() {
  const t = useAlertWords();
  const api = useApi();
  const token = useLocation().hash.slice(1);
  const [found, setFound] = useState<Found>();
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (token === '') return;
    api
      .call(CALLS.muteByLink, { body: { token, confirm: false } })
      .then(setFound)
      .catch((error: Error) => setRefusal(error.message));
  }, [api, token]);
  const confirm = () => {
    setBusy(true);
    api
      .call(CALLS.muteByLink, { body: { token, confirm: true } })
      .then(setFound)
      .catch((error: Error) => setRefusal(error.message))
      .finally(() => setBusy(false));
  };
  return (
    <OpenPage title={t('mute.title')} maxWidth={720}>
      <Typography variant="h1" sx={{ mb: 2 }}>
        {t('mute.title')}
      </Typography>
      <div aria-live="polite">
        {token === '' ? (
          <Alert severity="error">{t('mute.missing')}</Alert>
        ) : refusal !== undefined ? (
          <Alert severity="error">{refusal}</Alert>
        ) : !found ? (
          <LoadingRows rows={1} height={44} />
        ) : found.muted_until !== null ? (
          <Alert severity="success">
            {t('mute.done', { policy: found.policy, until: timeText(found.muted_until) })}
          </Alert>
        ) : (
          <Typography sx={{ mb: 2 }}>{t('mute.ask', { policy: found.policy })}</Typography>
        )}
      </div>
      {found?.muted_until === null && refusal === undefined && (
        <Button variant="contained" loading={isBusy} onClick={confirm}>
          {t('mute.button')}
        </Button>
      )}
    </OpenPage>
  );
}
