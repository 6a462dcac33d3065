// Says that there is no network, or that nobody answers there; when that is over, everything that is shown is read again.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

const LOOK_AGAIN_MS = 3_000;

/** From a read that nobody answered to the next that somebody does. Until then it is asked every few seconds. */
function useIsUnreachable(): boolean {
  const api = useApi();
  const client = useQueryClient();
  const [isUnreachable, setUnreachable] = useState(false);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return;
        const { action } = event;
        if (action.type === 'error' && action.error instanceof ApiProblem && action.error.isUnanswered)
          setUnreachable(true);
        // What a page put there itself nobody has answered.
        if (action.type === 'success' && !action.manual) setUnreachable(false);
      }),
    [client],
  );
  useEffect(() => {
    if (!isUnreachable) return;
    const look = () =>
      api.call(CALLS.getSettings, {}).then(
        () => setUnreachable(false),
        (error: unknown) => setUnreachable(error instanceof ApiProblem && error.isUnanswered),
      );
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      void client.invalidateQueries();
    };
  }, [isUnreachable, api, client]);
  return isUnreachable;
}

export function OfflineBanner() {
  const t = useUiWords();
  const client = useQueryClient();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isUnreachable = useIsUnreachable();
  useEffect(() => {
    const again = () => void client.invalidateQueries();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [client]);
  return (
    <div aria-live="polite">
      {(!isOnline || isUnreachable) && (
        <Alert
          severity="warning"
          variant="filled"
          sx={{ position: 'fixed', bottom: 0, insetInline: 0, zIndex: 'snackbar', borderRadius: 0 }}
        >
          {t(isOnline ? 'states.unreachable' : 'states.offline')}
        </Alert>
      )}
    </div>
  );
}
