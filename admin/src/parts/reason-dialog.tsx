// A question before a command of staff: what it does, and why, which the audit log keeps. The server's sentence is shown where it
// belongs.
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { useAreaWords, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useHeldReload } from '@gantry/ui/session/use-held-reload.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { HttpError } from 'react-admin';
import type { words as english } from '../words/en/shell.ts';

interface ReasonDialogProps {
  title: string;
  /** The consequences, and further questions. */
  children?: ReactNode;
  confirmLabel: string;
  isDangerous?: boolean;
  /** For a table in it. */
  isWide?: boolean;
  /** The dialog closes when it resolves, and shows what it rejects with. */
  onConfirm(reason: string): Promise<unknown>;
  onClose(): void;
}

const MOST_LETTERS = 1000;

export function ReasonDialog({
  title,
  children,
  confirmLabel,
  isDangerous = false,
  isWide = false,
  onConfirm,
  onClose,
}: ReasonDialogProps) {
  const t = useAreaWords<typeof english>('shell');
  const ui = useUiWords();
  const id = useId();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<{ field?: string; message: string }>();
  const [isSending, setSending] = useState(false);
  const [isTyped, setTyped] = useState(false);
  useHeldReload(isTyped || isSending);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (reason.trim() === '') return setError({ field: 'reason', message: t('reason.missing') });
    setError(undefined);
    setSending(true);
    try {
      await onConfirm(reason.trim());
      onClose();
    } catch (thrown) {
      const { message, body } = thrown as HttpError & { body?: { problem?: ApiProblem } };
      const field = body?.problem?.field;
      setError({ message, ...(field !== undefined && { field }) });
    } finally {
      setSending(false);
    }
  };
  const ofReason = error?.field === 'reason' ? error.message : undefined;
  return (
    <Dialog
      open
      // A click beside it would discard what is typed.
      onClose={(_, why) => {
        if (why !== 'backdropClick' && !isSending) onClose();
      }}
      aria-labelledby={id}
      fullWidth
      maxWidth={isWide ? 'md' : 'sm'}
    >
      <form onSubmit={(event) => void send(event)} onChange={() => setTyped(true)} noValidate>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          {children}
          {error && ofReason === undefined && <Alert severity="error">{error.message}</Alert>}
          <TextField
            label={t('reason.label')}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
            error={ofReason !== undefined}
            helperText={ofReason ?? t('reason.help')}
            required
            multiline
            minRows={2}
            autoFocus
            slotProps={{ htmlInput: { maxLength: MOST_LETTERS } }}
          />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose} disabled={isSending}>
            {ui('actions.cancel')}
          </Button>
          <Button type="submit" variant="contained" color={isDangerous ? 'error' : 'primary'} loading={isSending}>
            {confirmLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
