// A secret that is shown once: to be copied or saved as a file before continuing.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { CopyField } from '@gantry/ui/widgets/copy-button.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

interface SecretDialogProps {
  title: string;
  warning: string;
  texts: readonly { label: string; text: string }[];
  /** Between the warning and the texts. */
  children?: ReactNode;
  onClose: () => void;
}

/** Nothing but its button closes it: a slip of the finger would lose the secret for good. */
export function SecretDialog({ title, warning, texts, children, onClose }: SecretDialogProps) {
  const t = useUiWords();
  const id = useId();
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Alert severity="warning">{warning}</Alert>
        {children}
        {texts.map(({ label, text }) => (
          <Box key={label}>
            <Typography variant="body2" color="text.secondary" sx={{ mb: 0.5 }}>
              {label}
            </Typography>
            <CopyField text={text} label={label} />
          </Box>
        ))}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={onClose}>
          {t('actions.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
