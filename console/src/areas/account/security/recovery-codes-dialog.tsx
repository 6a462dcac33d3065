// The codes for a lost authenticator. They are shown once: the only way on is to confirm that they are saved.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { keyOf } from '@gantry/ui/client/use-api.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { useCopy } from '@gantry/ui/widgets/copy-button.tsx';
import ContentCopy from '@mui/icons-material/ContentCopyOutlined';
import Download from '@mui/icons-material/DownloadOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { saveFile } from '../../../parts/save-file.ts';
import { useAccountWords } from '../use-account-words.ts';

interface RecoveryCodesDialogProps {
  account: { username: string };
  codes: readonly string[];
  onClose: () => void;
}

export function RecoveryCodesDialog({ account, codes, onClose }: RecoveryCodesDialogProps) {
  const t = useAccountWords();
  const ui = useUiWords();
  const copy = useCopy();
  const client = useQueryClient();
  const [isKept, setKept] = useState(false);
  const id = useId();
  const text = `${codes.join('\n')}\n`;
  const done = () => {
    onClose();
    void client.invalidateQueries({ queryKey: keyOf(CALLS.getMe) });
  };
  return (
    // Escape and a click beside it do nothing here.
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>{t('security.factor.recovery.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Alert severity="warning">{t('security.factor.recovery.lead')}</Alert>
        <Box
          component="ul"
          sx={{
            listStyle: 'none',
            m: 0,
            p: 2,
            display: 'grid',
            gridTemplateColumns: 'repeat(auto-fit, minmax(9rem, 1fr))',
            gap: 1,
            bgcolor: 'action.hover',
            borderRadius: 1,
            fontFamily: MONO,
            fontSize: 14,
          }}
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </Box>
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
          <Button
            startIcon={<Download />}
            onClick={() =>
              saveFile(new Blob([text], { type: 'text/plain' }), `gantry-recovery-${account.username}.txt`)
            }
          >
            {ui('actions.download')}
          </Button>
          <Button startIcon={<ContentCopy />} onClick={() => void copy(text)}>
            {ui('actions.copy')}
          </Button>
        </Box>
        <FormControlLabel
          control={<Checkbox checked={isKept} onChange={(_, checked) => setKept(checked)} />}
          label={t('security.factor.recovery.kept')}
        />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" disabled={!isKept} onClick={done}>
          {ui('actions.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
