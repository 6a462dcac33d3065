// Says that there is no network; when it is back, everything that is shown is read again.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

export function OfflineBanner() {
  const t = useUiWords();
  const client = useQueryClient();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  useEffect(() => {
    const again = () => void client.invalidateQueries();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [client]);
  return (
    <div aria-live="polite">
      {!isOnline && (
        <Alert
          severity="warning"
          variant="filled"
          sx={{ position: 'fixed', bottom: 0, insetInline: 0, zIndex: 'snackbar', borderRadius: 0 }}
        >
          {t('states.offline')}
        </Alert>
      )}
    </div>
  );
}
