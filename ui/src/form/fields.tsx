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
import { type ComponentType, type ReactNode, useState } from 'react';
import { type Control, Controller, type FieldPath, type FieldValues, useFormContext } from 'react-hook-form';
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

interface InputProps<Values extends FieldValues>
  extends FieldProps<Values>,
    Passed,
    Pick<TextFieldProps, 'select' | 'children'> {
  /** Gets what was typed or chosen, and how to store what it means. */
  typed: (value: string, store: (value: unknown) => void) => void;
}

function FormInput<Values extends FieldValues>(props: InputProps<Values>) {
  const { control, name, help, isRequired = false, typed, ...passed } = props;
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange, ...field }, fieldState: { error } }) => (
        <TextField
          {...passed}
          {...field}
          value={value ?? ''}
          onChange={({ target }) => typed(target.value, onChange)}
          inputRef={ref}
          required={isRequired}
          error={error !== undefined}
          helperText={error?.message ?? help}
        />
      )}
    />
  );
}

interface TextProps<Values extends FieldValues> extends FieldProps<Values>, Passed {
  /** Empty is undefined, for optional members. */
  isEmptyAbsent?: boolean;
}

/** Free text. Empty is `''` unless said otherwise. */
export function FormText<Values extends FieldValues>({ isEmptyAbsent = false, ...props }: TextProps<Values>) {
  return <FormInput {...props} typed={(text, store) => store(isEmptyAbsent && text === '' ? undefined : text)} />;
}

interface NumberProps<Values extends FieldValues> extends FieldProps<Values>, Passed {
  /** The least, and the most if there is one. */
  range?: readonly [min?: number, max?: number];
  /** 1 unless said otherwise, as HTML has it. */
  step?: number | 'any';
  unit?: string;
}

const ANY: readonly [min?: number, max?: number] = [];

/** A number, or undefined while nothing is there. */
export function FormNumber<Values extends FieldValues>({ range: [min, max] = ANY, ...props }: NumberProps<Values>) {
  const { step, unit, ...passed } = props;
  const end = unit !== undefined && { endAdornment: <InputAdornment position="end">{unit}</InputAdornment> };
  return (
    <FormInput
      {...passed}
      type="number"
      slotProps={{ htmlInput: { min, max, step }, ...(end && { input: end }) }}
      typed={(text, store) => store(text === '' ? undefined : Number(text))}
    />
  );
}

interface SelectProps<Values extends FieldValues> extends FieldProps<Values>, Passed {
  options: readonly { value: string | number; label: ReactNode; isDisabled?: boolean }[];
  onChosen?: () => void;
}

/** One of a few. */
export function FormSelect<Values extends FieldValues>({ options, onChosen, ...props }: SelectProps<Values>) {
  return (
    <FormInput
      {...props}
      select
      typed={(chosen, store) => {
        store(chosen);
        onChosen?.();
      }}
    >
      {options.map(({ value, label, isDisabled = false }) => (
        <MenuItem key={value} value={value} disabled={isDisabled}>
          {label}
        </MenuItem>
      ))}
    </FormInput>
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

type Bound<Props> = (props: Omit<Props, 'control'>) => ReactNode;

function bound(Field: ComponentType<never>) {
  const Unbound = Field as ComponentType<{ control: Control }>;
  return function Bound(props: object) {
    const { control } = useFormContext();
    return <Unbound control={control} {...props} />;
  };
}

const BOUND = {
  Text: bound(FormText),
  Number: bound(FormNumber),
  Select: bound(FormSelect),
  Checkbox: bound(FormCheckbox),
};

/** The fields of a form that is given by context, and has `Values`. */
export const fieldsOf = <Values extends FieldValues>() =>
  BOUND as {
    Text: Bound<Parameters<typeof FormText<Values>>[0]>;
    Number: Bound<Parameters<typeof FormNumber<Values>>[0]>;
    Select: Bound<Parameters<typeof FormSelect<Values>>[0]>;
    Checkbox: Bound<Parameters<typeof FormCheckbox<Values>>[0]>;
  };
