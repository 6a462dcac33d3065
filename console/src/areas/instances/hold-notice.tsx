// What is reserved, at which price and for how long yet; and that it is not, or that the form asks for something else.
import { exactText } from '@gantry/ui/format/money.ts';
import Alert from '@mui/material/Alert';
import type { HeldGpu } from './use-hold.ts';
import { useInstanceWords } from './use-instance-words.ts';

export function HoldNotice({ hold: { state, view, seconds }, isAsked }: { hold: HeldGpu; isAsked: boolean }) {
  const t = useInstanceWords();
  if (state === 'none' || state === 'pending' || state === 'given') return null;
  if (state === 'ended' || !view)
    return (
      <Alert severity="warning" role="status">
        {t('hold.ended')}
      </Alert>
    );
  const { name, gpus, region_name: region, hour, currency } = view;
  const price = hour === null ? '–' : exactText(hour, currency);
  // Not announced each second.
  return (
    <Alert severity={isAsked ? 'success' : 'info'} role="note">
      {t('hold.open', { name, gpus, region, price, time: clockText(seconds) })}
      {!isAsked && ` ${t('hold.other')}`}
    </Alert>
  );
}

/** 9:05 */
const clockText = (seconds: number): string => `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
