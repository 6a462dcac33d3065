// The conversation's next request, as code to copy.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import type { Prompt } from '../../parts/ask-model.ts';
import { CodeBlocks } from '../../parts/code-blocks.tsx';
import { codeSamples } from '../../parts/code-samples.ts';
import { useChatWords } from './use-chat-words.ts';

export function CodeDialog({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const t = useChatWords();
  const ui = useUiWords();
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="chat-code">
      <DialogTitle id="chat-code">{t('code')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography color="text.secondary">{t('codeLead')}</Typography>
        <CodeBlocks samples={codeSamples(prompt, location.origin)} />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{ui('actions.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
