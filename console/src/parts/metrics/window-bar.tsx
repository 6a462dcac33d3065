// The choice of what time a page's charts show, and what they are compared with.
import { TIME_RANGES, type TimeRange } from '@gantry/ui/format/time-range.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useMetricsWords } from './use-metrics-words.ts';
import { SHIFTS, type Shift, type Window } from './use-window.ts';

/** `canShift`: what is shown can be compared with an earlier time. */
export function WindowBar({ window, canShift = true }: { window: Window; canShift?: boolean }) {
  const t = useMetricsWords();
  const ui = useUiWords();
  return (
    <>
      {window.isZoomed && <Button onClick={() => window.set({ range: window.range })}>{t('zoomOut')}</Button>}
      <TextField
        select
        size="small"
        label={t('range')}
        value={window.range}
        onChange={({ target }) => window.set({ range: target.value as TimeRange })}
        sx={{ width: 170 }}
      >
        {TIME_RANGES.map((one) => (
          <MenuItem key={one} value={one}>
            {ui(`time.ranges.${one}`)}
          </MenuItem>
        ))}
      </TextField>
      {canShift && (
        <TextField
          select
          size="small"
          label={t('shift')}
          value={window.shift}
          onChange={({ target }) => window.set({ shift: target.value as Shift })}
          sx={{ width: 190 }}
        >
          {(Object.keys(SHIFTS) as Shift[]).map((one) => (
            <MenuItem key={one} value={one}>
              {t(`shifts.${one}`)}
            </MenuItem>
          ))}
        </TextField>
      )}
    </>
  );
}
