// An expiry as the list shows it: it counts down in its last day, and turns to expired without a reload.
import { countdownText, timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useAccountWords } from '../use-account-words.ts';
import { expiryState } from './expiry-state.ts';

const SECOND_MS = 1000;

export function ExpiryText({ expiresAt }: { expiresAt: string | null }) {
  const t = useAccountWords();
  const ui = useUiWords();
  const now = useNow();
  const state = expiryState(expiresAt, now);
  switch (state.kind) {
    case 'permanent':
      return <span>{ui('time.permanent')}</span>;
    case 'expired':
      return (
        <Typography component="span" variant="inherit" color="error">
          {ui('time.expired')}
        </Typography>
      );
    case 'soon':
      return (
        <Typography
          component="span"
          variant="inherit"
          color="error"
          title={timeText(expiresAt)}
          sx={{ fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}
        >
          {t('expiry.left', { time: countdownText(state.leftMs) })}
        </Typography>
      );
    case 'date':
      return <span>{timeText(state.at)}</span>;
  }
}

/** The time, updated each second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
