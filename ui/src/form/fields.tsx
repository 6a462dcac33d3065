// Fields of react-hook-form in MUI's form: label, help, error. The form types their names.

import VisibilityOff from '@mui/icons-material/VisibilityOffOutlined';
import Visibility from '@mui/icons-material/VisibilityOutlined';
import Checkbox from '@mui/material/Checkbox';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import MenuItem from '@mui/material/MenuItem';
import TextField, { type TextFieldProps } from '@mui/material/TextField';
import { type ReactNode, useState } from 'react';
import { type Control, Controller, type FieldPath, type FieldValues } from 'react-hook-form';
import { useUiWords } from '../i18n/use-words.tsx';

interface FieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  help?: ReactNode;
  isRequired?: boolean;
}

type Passed = Pick<
  TextFieldProps,
  'autoComplete' | 'autoFocus' | 'placeholder' | 'type' | 'multiline' | 'minRows' | 'disabled' | 'slotProps' | 'sx'
>;

/** Free text. Empty is `''`; `isEmptyAbsent` makes it undefined, for optional members. */
export function FormText<Values extends FieldValues>({
  control,
  name,
  label,
  help,
  isRequired,
  isEmptyAbsent,
  ...passed
}: FieldProps<Values> & Passed & { isEmptyAbsent?: boolean }) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange, ...field }, fieldState: { error } }) => (
        <TextField
          {...passed}
          {...field}
          value={value ?? ''}
          onChange={({ target }) => onChange(isEmptyAbsent && target.value === '' ? undefined : target.value)}
          inputRef={ref}
          label={label}
          required={isRequired ?? false}
          error={error !== undefined}
          helperText={error?.message ?? help}
        />
      )}
    />
  );
}

/** A number, or undefined while nothing is there. */
export function FormNumber<Values extends FieldValues>({
  control,
  name,
  label,
  help,
  isRequired,
  min,
  max,
  step,
  unit,
  ...passed
}: FieldProps<Values> & Passed & { min?: number; max?: number; step?: number | 'any'; unit?: string }) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange, ...field }, fieldState: { error } }) => (
        <TextField
          {...passed}
          {...field}
          type="number"
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
          inputRef={ref}
          label={label}
          required={isRequired ?? false}
          error={error !== undefined}
          helperText={error?.message ?? help}
          slotProps={{
            htmlInput: { min, max, step },
            ...(unit !== undefined && {
              input: { endAdornment: <InputAdornment position="end">{unit}</InputAdornment> },
            }),
          }}
        />
      )}
    />
  );
}

/** One of a few. */
export function FormSelect<Values extends FieldValues>({
  control,
  name,
  label,
  help,
  isRequired,
  options,
  onChosen,
  ...passed
}: FieldProps<Values> &
  Passed & {
    options: readonly { value: string | number; label: ReactNode; isDisabled?: boolean }[];
    onChosen?: () => void;
  }) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange, ...field }, fieldState: { error } }) => (
        <TextField
          {...passed}
          {...field}
          select
          onChange={(event) => {
            onChange(event);
            onChosen?.();
          }}
          value={value ?? ''}
          inputRef={ref}
          label={label}
          required={isRequired ?? false}
          error={error !== undefined}
          helperText={error?.message ?? help}
        >
          {options.map((option) => (
            <MenuItem key={option.value} value={option.value} disabled={option.isDisabled ?? false}>
              {option.label}
            </MenuItem>
          ))}
        </TextField>
      )}
    />
  );
}

/** A box to tick. */
export function FormCheckbox<Values extends FieldValues>({
  control,
  name,
  label,
  help,
}: Omit<FieldProps<Values>, 'label' | 'isRequired'> & { label: ReactNode }) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, ...field }, fieldState: { error } }) => (
        <FormControl error={error !== undefined}>
          <FormControlLabel
            control={<Checkbox {...field} checked={Boolean(value)} slotProps={{ input: { ref } }} />}
            label={label}
          />
          {(error?.message ?? help) !== undefined && (
            // Below the label, and not below the box.
            <FormHelperText sx={{ ml: '30px', mr: 0 }}>{error?.message ?? help}</FormHelperText>
          )}
        </FormControl>
      )}
    />
  );
}

/** A password, which can be looked at. */
export function FormPassword<Values extends FieldValues>(props: FieldProps<Values> & Passed) {
  const [isShown, setShown] = useState(false);
  const t = useUiWords();
  return (
    <FormText
      {...props}
      type={isShown ? 'text' : 'password'}
      slotProps={{
        input: {
          endAdornment: (
            <InputAdornment position="end">
              <IconButton
                edge="end"
                size="small"
                aria-label={`${isShown ? t('fields.hide') : t('fields.show')}: ${props.label}`}
                onClick={() => setShown(!isShown)}
              >
                {isShown ? <VisibilityOff fontSize="small" /> : <Visibility fontSize="small" />}
              </IconButton>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
