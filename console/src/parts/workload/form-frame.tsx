// The frame of a long form: its parts, with price and room beside them, below on a narrow screen.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { Guarded } from '@gantry/ui/session/permission.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import type { BaseSyntheticEvent, ReactNode } from 'react';
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form';

const Field = fieldsOf<Named>();

export interface SentForm<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** The error that concerns no single field. */
  error: string | undefined;
  /** Beside that sentence: what helps. */
  help?: ReactNode;
  /** The node that permits sending it. */
  node: string;
  submitLabel: string;
  isBusy: boolean;
  canSubmit?: boolean;
  onSubmit: (event?: BaseSyntheticEvent) => Promise<void>;
}

export interface WorkloadFormProps<Values extends FieldValues> extends SentForm<Values> {
  isNew: boolean;
  notice?: ReactNode;
  /** One leaves it to pay. */
  onRecharge?: (() => void) | undefined;
}

interface Named extends FieldValues {
  displayName: string;
}

interface FormFrameProps<Values extends Named> extends SentForm<Values> {
  /** The characters that names may be made of. */
  nameHint: string;
  /** Above the name. */
  notice?: ReactNode;
  beside: ReactNode;
  children: ReactNode;
}

export type Beside = Pick<WorkloadFormProps<FieldValues>, 'isNew' | 'onRecharge'>;

interface WorkloadFrameProps<Values extends Named> extends Omit<FormFrameProps<Values>, 'beside'>, Beside {
  /** Price and room, apart from the form: they are drawn with each digit that is typed. */
  Beside(props: Beside): ReactNode;
}

export const WorkloadFrame = <Values extends Named>({
  isNew,
  onRecharge,
  Beside,
  ...props
}: WorkloadFrameProps<Values>) => <FormFrame {...props} beside={<Beside isNew={isNew} onRecharge={onRecharge} />} />;

export function FormFrame<Values extends Named>({
  form,
  error,
  help,
  node,
  submitLabel,
  isBusy,
  canSubmit = true,
  onSubmit,
  nameHint,
  notice,
  beside,
  children,
}: FormFrameProps<Values>) {
  return (
    <FormProvider {...form}>
      <Box
        component="form"
        noValidate
        onSubmit={(event) => void onSubmit(event)}
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 22rem' },
          gap: 3,
          alignItems: 'start',
        }}
      >
        <Box sx={{ display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0 }}>
          <Paper variant="outlined" sx={{ p: { xs: 2, md: 3 }, display: 'flex', flexDirection: 'column', gap: 2 }}>
            {notice}
            <Name hint={nameHint} />
          </Paper>
          {children}
        </Box>
        <Box
          sx={{
            display: 'flex',
            flexDirection: 'column',
            gap: 2,
            position: { lg: 'sticky' },
            top: { lg: 80 },
            minWidth: 0,
          }}
        >
          {beside}
          {error !== undefined && (
            <Alert severity="error" action={help}>
              {error}
            </Alert>
          )}
          <Guarded node={node}>
            <Button type="submit" variant="contained" size="large" fullWidth loading={isBusy} disabled={!canSubmit}>
              {submitLabel}
            </Button>
          </Guarded>
        </Box>
      </Box>
    </FormProvider>
  );
}

function Name({ hint }: { hint: string }) {
  const ui = useUiWords();
  return <Field.Text name="displayName" label={ui('fields.name')} help={hint} isRequired autoComplete="off" />;
}
