// Several texts in one field of a form; a text in the field becomes one of them when Enter is pressed or the field is left.
import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { type Control, Controller, type FieldPath, type FieldValues } from 'react-hook-form';

interface FormTagsProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  help?: string;
  /** Suggested ones. */
  options?: readonly string[];
  /** The text of a tag for people. */
  textOf?: (tag: string) => string;
  /** Commas separate them; otherwise they belong to them. */
  hasCommas?: boolean;
}

export function FormTags<Values extends FieldValues>({
  control,
  name,
  label,
  help,
  options = [],
  textOf = String,
  hasCommas = false,
}: FormTagsProps<Values>) {
  const split = (text: string) => (hasCommas ? text.split(',').map((one) => one.trim()) : [text]);
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange, onBlur }, fieldState: { error } }) => {
        const tags: readonly string[] = value;
        return (
          <Autocomplete
            multiple
            freeSolo
            autoSelect
            options={options.filter((one) => !tags.includes(one))}
            getOptionLabel={textOf}
            value={[...tags]}
            onBlur={onBlur}
            onChange={(_, wanted) => {
              // Tags that were there already stay as they are, including an empty text.
              const typed = wanted.filter((one) => !tags.includes(one)).flatMap(split);
              const added = typed.filter((one) => one !== '');
              onChange([...new Set([...wanted.filter((one) => tags.includes(one)), ...added])]);
            }}
            renderInput={(params) => (
              <TextField
                {...params}
                inputRef={ref}
                label={label}
                error={error !== undefined}
                helperText={error?.message ?? help}
              />
            )}
          />
        );
      }}
    />
  );
}
