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

/**
 * While nobody answers. A read that found nobody is only a reason to look: one page's trouble is not everybody's. Afterwards every
 * read is made again.
 */
function useIsUnreachable(): boolean {
  const api = useApi();
  const client = useQueryClient();
  const [isSuspected, setSuspected] = useState(false);
  const [isUnreachable, setUnreachable] = useState(false);
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isAway(event.action.error)) setSuspected(true);
      }),
    [client],
  );
  useEffect(() => {
    if (!isSuspected) return;
    let isOver = false;
    let wasAway = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const isAwayNow = await api.call(CALLS.getSettings, {}).then(() => false, isAway);
      if (isOver) return;
      setUnreachable(isAwayNow);
      if (isAwayNow) {
        wasAway = true;
        timer = setTimeout(look, LOOK_AGAIN_MS);
      } else {
        setSuspected(false);
        if (wasAway) void client.invalidateQueries();
      }
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isSuspected, api, client]);
  return isUnreachable;
}

const isAway = (error: unknown): boolean => error instanceof ApiProblem && error.isAway;

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
