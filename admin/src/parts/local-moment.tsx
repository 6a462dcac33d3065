// A moment that staff type, in their own time zone, which stands below with the same moment in UTC.
import { utcTime } from '@gantry/ui/format/local-time.ts';
import { zoneText } from '@gantry/ui/format/time.ts';
import { useAreaWords } from '@gantry/ui/i18n/use-words.tsx';
import TextField from '@mui/material/TextField';
import type { words as english } from '../words/en/shell.ts';

interface LocalMomentProps {
  label: string;
  /** As a field for local times has it. */
  value: string;
  onChange(value: string): void;
  /** Shown while nothing is typed. */
  help?: string;
  required?: boolean;
}

export function LocalMoment({ label, value, onChange, help, required = false }: LocalMomentProps) {
  const t = useAreaWords<typeof english>('shell');
  const utc = utcTime(value);
  const zone = zoneText(utc === undefined ? new Date() : new Date(utc));
  const text =
    utc === undefined
      ? [help, t('moment.zone', { zone })].filter(Boolean).join(' · ')
      : t('moment.inUtc', { zone, utc: utc.slice(0, 16).replace('T', ' ') });
  return (
    <TextField
      type="datetime-local"
      label={label}
      helperText={text}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      required={required}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}
