// The conversation's next request, as code to copy.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import type { Prompt } from './ask-model.ts';
import { codeSamples } from './code-samples.ts';
import { useChatWords } from './use-chat-words.ts';

export function CodeDialog({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const t = useChatWords();
  const ui = useUiWords();
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="chat-code">
      <DialogTitle id="chat-code">{t('code')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography color="text.secondary">{t('codeLead')}</Typography>
        {codeSamples(prompt, location.origin).map(({ name, code }) => (
          <Box key={name}>
            <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
              <Typography variant="subtitle2" component="h3">
                {name}
              </Typography>
              <CopyButton text={code} label={name} />
            </Box>
            <Box
              component="pre"
              // It scrolls sideways: whoever has no mouse does that with the keys.
              tabIndex={0}
              sx={{ m: 0, p: 1.5, overflow: 'auto', bgcolor: 'action.hover', fontFamily: MONO, fontSize: 13 }}
            >
              {code}
            </Box>
          </Box>
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{ui('actions.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
