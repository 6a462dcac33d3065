// A picture as a field of a form.
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { Controller } from 'react-hook-form';
import { PictureField } from './picture-field.tsx';

interface FormPictureProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  help?: string;
}

export function FormPicture<Values extends FieldValues>({ control, name, label, help }: FormPictureProps<Values>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { ref, value, onChange }, fieldState }) => (
        <PictureField
          label={label}
          {...(help !== undefined && { help })}
          value={value}
          onChange={onChange}
          error={fieldState.error?.message}
          focusRef={ref}
        />
      )}
    />
  );
}
