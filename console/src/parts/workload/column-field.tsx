// The name of a column of a dataset's table: one of those that are known, or typed.
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { Controller, useFormContext } from 'react-hook-form';

interface ColumnFieldProps {
  name: string;
  label: string;
  known: readonly string[];
  help?: string | undefined;
  isRequired?: boolean;
}

export function ColumnField({ name, label, known, help, isRequired = false }: ColumnFieldProps) {
  const { control } = useFormContext<Record<string, string>>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur, ref }, fieldState: { error } }) => (
        <Autocomplete
          freeSolo
          // All of them, whatever it has now.
          filterOptions={(all) => all}
          options={known}
          inputValue={value ?? ''}
          onInputChange={(_, typed) => onChange(typed)}
          onBlur={onBlur}
          renderInput={(params) => (
            <TextField
              {...params}
              inputRef={ref}
              label={label}
              required={isRequired}
              error={error !== undefined}
              helperText={error?.message ?? help}
            />
          )}
        />
      )}
    />
  );
}
