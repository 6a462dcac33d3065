// A form in a dialog: its purpose, its fields, a general error, and two buttons.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { type FormEventHandler, type ReactNode, useId } from 'react';

interface FormDialogProps {
  title: string;
  lead?: ReactNode;
  submitLabel: string;
  isBusy: boolean;
  isDisabled?: boolean;
  isDangerous?: boolean;
  error?: string | undefined;
  /** Beside that sentence: what helps. */
  help?: ReactNode;
  children: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onClose: () => void;
}

const FIELDS = 'input:not([type=hidden], :disabled), textarea:not(:disabled), [role=combobox]';

/** A field that asks for the focus itself has it by the time that its form is there. */
const focusFirst = (form: HTMLFormElement | null): void => {
  if (form && !form.contains(document.activeElement)) form.querySelector<HTMLElement>(FIELDS)?.focus();
};

/** Mount it where it should open; the first field gets the focus. A click beside it closes nothing: the input would be lost. */
export function FormDialog({
  title,
  lead,
  submitLabel,
  isBusy,
  isDisabled = false,
  isDangerous,
  error,
  help,
  children,
  onSubmit,
  onClose,
}: FormDialogProps) {
  const t = useUiWords();
  const id = useId();
  return (
    <Dialog
      open
      fullWidth
      maxWidth="sm"
      aria-labelledby={id}
      onClose={(_, reason) => reason !== 'backdropClick' && onClose()}
    >
      <form ref={focusFirst} onSubmit={onSubmit} noValidate>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2.5, '&&': { pt: 1 } }}>
          {lead !== undefined && (
            <Typography variant="body2" color="text.secondary" component="div">
              {lead}
            </Typography>
          )}
          {children}
          {error !== undefined && (
            <Alert severity="error" action={help}>
              {error}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={onClose}>{t('actions.cancel')}</Button>
          <Button
            type="submit"
            variant="contained"
            loading={isBusy}
            disabled={isDisabled}
            color={isDangerous ? 'error' : 'primary'}
          >
            {submitLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
