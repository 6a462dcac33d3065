// What a model is told before the conversation, and how it answers. It stays while it is closed.
import { FormNumber } from '@gantry/ui/form/fields.tsx';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Close from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import type { Control } from 'react-hook-form';
import { useChatWords } from './use-chat-words.ts';
import type { Parameters } from './use-conversation.ts';

interface SettingsDrawerProps {
  isOpen: boolean;
  isBusy: boolean;
  onClose: () => void;
  system: string;
  onSystem: (text: string) => void;
  parameters: Control<Parameters>;
  tools: string;
  /** There is something written that is no list. */
  isToolsWrong: boolean;
  onTools: (text: string) => void;
}

export function SettingsDrawer({ isOpen, isBusy, onClose, parameters, ...told }: SettingsDrawerProps) {
  const t = useChatWords();
  const ui = useUiWords();
  return (
    <Drawer
      anchor="right"
      open={isOpen}
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-modal': true, 'aria-labelledby': 'chat-settings' } }}
    >
      <Box sx={{ width: 'min(24rem, 100vw)', p: 3, display: 'grid', gap: 2, alignContent: 'start' }}>
        <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center' }}>
          <Typography id="chat-settings" variant="h2">
            {t('parameters')}
          </Typography>
          <IconButton aria-label={ui('actions.close')} onClick={onClose}>
            <Close />
          </IconButton>
        </Box>
        <TextField
          label={t('system')}
          helperText={t('systemHelp')}
          value={told.system}
          multiline
          minRows={3}
          maxRows={10}
          disabled={isBusy}
          onChange={({ target }) => told.onSystem(target.value)}
        />
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: '1fr 1fr' }}>
          <FormNumber control={parameters} name="temperature" label={t('temperature')} range={[0, 2]} step={0.1} />
          <FormNumber control={parameters} name="top_p" label={t('topP')} range={[0, 1]} step={0.05} />
        </Box>
        <FormNumber control={parameters} name="max_tokens" label={t('maxTokens')} range={[1]} />
        <TextField
          label={t('tools')}
          helperText={told.isToolsWrong ? t('toolsRule') : t('toolsHelp')}
          error={told.isToolsWrong}
          value={told.tools}
          multiline
          maxRows={8}
          onChange={({ target }) => told.onTools(target.value)}
        />
      </Box>
    </Drawer>
  );
}
