// Fields that most people leave as they are: folded away, unless one of them is set or at fault. They stay in the page, so that an
// error leads to its field.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { type FieldPath, type FieldValues, get, useFormContext, useWatch } from 'react-hook-form';

interface FormFoldProps<Values extends FieldValues> {
  title: string;
  names: readonly FieldPath<Values>[];
  /** The values of a form in which nothing is set. */
  unset: Values;
  children: ReactNode;
}

export function FormFold<Values extends FieldValues>({ title, names, unset, children }: FormFoldProps<Values>) {
  const ui = useUiWords();
  const { control, formState } = useFormContext<Values>();
  const values: readonly unknown[] = useWatch({ control, name: names });
  const details = useRef<HTMLDetailsElement>(null);
  const isSet = names.some((name, at) => JSON.stringify(values[at]) !== JSON.stringify(get(unset, name)));
  const isAtFault = names.some((name) => get(formState.errors, name) !== undefined);
  const { submitCount } = formState;
  useLayoutEffect(() => {
    if (details.current && isSet) details.current.open = true;
  }, [isSet]);
  // Whoever closes it has it closed, until the form is sent with a fault in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try to send the form opens it
  useLayoutEffect(() => {
    if (details.current && isAtFault) details.current.open = true;
  }, [isAtFault, submitCount]);
  return (
    <Box component="details" ref={details}>
      <Typography component="summary" sx={{ cursor: 'pointer', py: 0.5 }}>
        {title}
        {isSet && (
          <Typography component="span" variant="body2" color="text.secondary">
            {` · ${ui('states.set')}`}
          </Typography>
        )}
      </Typography>
      <Box sx={{ mt: 1.5, display: 'flex', flexDirection: 'column', gap: 2 }}>{children}</Box>
    </Box>
  );
}
