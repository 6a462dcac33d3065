// A moment, picked in the reader's own time; its value is RFC 3339, or empty. One that is not touched keeps its offset and seconds.
import { localTime, utcTime } from '@gantry/ui/format/local-time.ts';
import TextField from '@mui/material/TextField';
import { type Control, Controller, type FieldPath, type FieldValues } from 'react-hook-form';

interface FormMomentProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  help?: string;
}

export const FormMoment = <Values extends FieldValues>({ control, name, label, help }: FormMomentProps<Values>) => (
  <Controller
    control={control}
    name={name}
    render={({ field: { ref, value, onChange, onBlur }, fieldState: { error } }) => (
      <TextField
        type="datetime-local"
        label={label}
        value={value === '' ? '' : localTime(value)}
        onChange={({ target }) => onChange(utcTime(target.value) ?? '')}
        onBlur={onBlur}
        inputRef={ref}
        error={error !== undefined}
        helperText={error?.message ?? help}
        slotProps={{ inputLabel: { shrink: true } }}
      />
    )}
  />
);
