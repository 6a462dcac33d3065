// Asks before something is lost, and names it. An irreversible action is confirmed by typing a name; the deletion of many things by
// typing four digits, others each time, which nobody types by habit.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useState } from 'react';
import { sentenceOr } from '../client/api-problem.ts';
import { fourDigits } from '../client/chance.ts';
import { useUiWords } from '../i18n/use-words.tsx';

export interface ConfirmDialogProps {
  title: string;
  children?: ReactNode;
  /** The things lost, one line each. */
  lost?: readonly string[];
  /** The things kept, one line each. */
  kept?: readonly string[];
  /** The text to type. */
  typed?: string;
  /** It deletes many things at once: four digits are shown and typed. */
  isBulk?: boolean;
  confirmLabel: string;
  isDangerous?: boolean;
  isBusy?: boolean;
  error?: unknown;
  /** Beside that sentence: what helps. */
  help?: ReactNode;
  /** More buttons, before the confirming one: a milder way. */
  others?: ReactNode;
  onConfirm(): void;
  onClose(): void;
}

/** The digits typed before many things are deleted: the same for as long as the question is open. */
export function useBulkCode(): string {
  const [code] = useState(fourDigits);
  return code;
}

/** Mount it where it should open. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    children,
    lost = [],
    kept = [],
    isBulk = false,
    confirmLabel,
    isDangerous,
    isBusy,
    error,
    help,
    others,
  } = props;
  const t = useUiWords();
  const [text, setText] = useState('');
  const code = useBulkCode();
  const typed = isBulk ? code : props.typed;
  const id = useId();
  const isConfirmed = typed === undefined || text === typed;
  return (
    <Dialog open onClose={props.onClose} fullWidth maxWidth="sm" aria-labelledby={id}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed && !isBusy) props.onConfirm();
        }}
      >
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
          {children !== undefined && <Box>{children}</Box>}
          <Points title={t('confirm.lost')} points={lost} severity="warning" />
          <Points title={t('confirm.kept')} points={kept} severity="success" />
          {typed !== undefined && (
            <TextField
              label={t('confirm.typeToConfirm', { name: typed })}
              value={text}
              autoComplete="off"
              autoFocus
              onChange={(event) => setText(event.target.value)}
            />
          )}
          {error !== undefined && error !== null && (
            <Alert severity="error" sx={{ whiteSpace: 'pre-line' }} action={help}>
              {sentenceOr(error, t('toasts.failed'))}
            </Alert>
          )}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', rowGap: 1 }}>
          <Button onClick={props.onClose}>{t('actions.cancel')}</Button>
          {others}
          <Button
            type="submit"
            variant="contained"
            color={isDangerous ? 'error' : 'primary'}
            disabled={!isConfirmed}
            loading={isBusy ?? false}
          >
            {confirmLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Points({
  title,
  points,
  severity,
}: {
  title: string;
  points: readonly string[];
  severity: 'warning' | 'success';
}) {
  if (points.length === 0) return null;
  return (
    <Alert severity={severity}>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {title}
      </Typography>
      <Box component="ul" sx={{ my: 0.5, pl: 2.5 }}>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </Box>
    </Alert>
  );
}
