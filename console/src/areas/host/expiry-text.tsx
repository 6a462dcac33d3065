// When a host ends: a date, a countdown on its last day, and a sign where somebody should look.
import type { HostView } from '@gantry/contract/kinds/gpu-host.ts';
import { countdownText, dateText, relativeText, timeText } from '@gantry/ui/format/time.ts';
import { LOCALES } from '@gantry/ui/i18n/language.ts';
import { useLanguage, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Warning from '@mui/icons-material/WarningAmberOutlined';
import Box from '@mui/material/Box';
import { useEffect, useState } from 'react';
import { expiryOf, isToWarn } from './expiry-of.ts';
import { useHostWords } from './use-host-words.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

export function ExpiryText({ host }: { host: Pick<HostView, 'source' | 'expire_time' | 'auto_renew'> }) {
  const t = useHostWords();
  const ui = useUiWords();
  const language = useLanguage();
  const [now, setNow] = useState(Date.now);
  const { source, expire_time: end, auto_renew } = host;
  const expiry = expiryOf(end, now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), expiry === 'today' ? SECOND_MS : MINUTE_MS);
    return () => clearInterval(timer);
  }, [expiry]);
  if (end === null) return <span>{source === 'owned' ? ui('time.permanent') : t('expiry.notYet')}</span>;
  const isWarned = isToWarn(expiry, auto_renew);
  const left = {
    none: '',
    over: ui('time.expired'),
    today: countdownText(Date.parse(end) - now),
    soon: relativeText(end, now, LOCALES[language]),
    later: relativeText(end, now, LOCALES[language]),
  }[expiry];
  return (
    <Box
      component="span"
      title={timeText(end)}
      sx={{
        display: 'inline-flex',
        gap: 0.5,
        alignItems: 'center',
        fontVariantNumeric: 'tabular-nums',
        ...(isWarned && { color: 'error.main', fontWeight: 600 }),
      }}
    >
      {isWarned && <Warning fontSize="small" titleAccess={t('expiry.warning')} />}
      {dateText(end)} ({left})
    </Box>
  );
}
