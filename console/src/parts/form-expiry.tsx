// An expiry is confirmed: a date, or Permanent, which nobody gets without having picked it.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import TextField from '@mui/material/TextField';
import { type Control, Controller, type FieldPath, type FieldValues } from 'react-hook-form';
import { dayAhead, dayOf, endOfDay, lastDay } from './expiry-choice.ts';
import { usePartsWords } from './use-parts-words.ts';

const PRESETS = [7, 30, 90, 365] as const;

interface FormExpiryProps<Values extends FieldValues> {
  control: Control<Values>;
  /** Its value is RFC 3339, null for Permanent, or undefined while nothing was picked. */
  name: FieldPath<Values>;
  /** The meaning of Permanent here; undefined: it cannot be chosen. */
  permanentHelp?: string;
  mostDays?: number;
}

export function FormExpiry<Values extends FieldValues>({
  control,
  name,
  permanentHelp,
  mostDays,
}: FormExpiryProps<Values>) {
  const t = usePartsWords();
  const ui = useUiWords();
  const now = Date.now();
  const last = mostDays === undefined ? undefined : lastDay(now, mostDays);
  const presets = PRESETS.filter((days) => last === undefined || dayAhead(now, days) <= last);
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange, onBlur }, fieldState: { error } }) => (
        <FormControl error={error !== undefined} sx={{ gap: 1 }}>
          <TextField
            type="date"
            label={t('expiry.date')}
            value={dayOf(value)}
            disabled={value === null}
            required={value !== null}
            error={error !== undefined}
            helperText={error?.message ?? t('expiry.help')}
            inputRef={ref}
            onBlur={onBlur}
            onChange={({ target }) => onChange(endOfDay(target.value))}
            slotProps={{ inputLabel: { shrink: true }, htmlInput: { min: dayAhead(now, 0), max: last } }}
          />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            {presets.map((days) => (
              <Button
                key={days}
                size="small"
                variant="outlined"
                color="inherit"
                disabled={value === null}
                onClick={() => onChange(endOfDay(dayAhead(now, days)))}
              >
                {t('expiry.days', { smart_count: days })}
              </Button>
            ))}
          </Box>
          {permanentHelp !== undefined && (
            <Box>
              <FormControlLabel
                control={
                  <Checkbox
                    checked={value === null}
                    onChange={(_, isPermanent) => onChange(isPermanent ? null : undefined)}
                  />
                }
                label={ui('time.permanent')}
              />
              <FormHelperText error={false} sx={{ mx: 0 }}>
                {permanentHelp}
              </FormHelperText>
            </Box>
          )}
        </FormControl>
      )}
    />
  );
}
