// Searches the output, upwards first: the newest is the most interesting.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Close from '@mui/icons-material/CloseOutlined';
import Down from '@mui/icons-material/KeyboardArrowDownOutlined';
import Up from '@mui/icons-material/KeyboardArrowUpOutlined';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { Screen } from './screen.ts';
import { useTerminalWords } from './use-terminal-words.ts';

export function SearchBar({ screen, onClose }: { screen: Screen; onClose(): void }) {
  const t = useTerminalWords();
  const ui = useUiWords();
  const [text, setText] = useState('');
  const [isFound, setFound] = useState(true);
  const find = (wanted: string, isBack: boolean) => setFound(wanted === '' || screen.find(wanted, isBack));
  return (
    <Paper
      component="search"
      elevation={4}
      sx={{
        position: 'absolute',
        top: 8,
        right: 16,
        left: { xs: 16, sm: 'auto' },
        zIndex: 2,
        p: 1,
        display: 'flex',
        gap: 0.5,
        alignItems: 'flex-start',
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <TextField
        label={t('search.label')}
        value={text}
        autoFocus
        error={!isFound}
        helperText={isFound ? ' ' : ui('states.noMatch')}
        onChange={({ target }) => {
          setText(target.value);
          find(target.value, true);
        }}
        onKeyDown={(event) => event.key === 'Enter' && find(text, !event.shiftKey)}
        sx={{ width: { sm: '18rem' } }}
      />
      <IconButton aria-label={t('search.before')} onClick={() => find(text, true)}>
        <Up />
      </IconButton>
      <IconButton aria-label={t('search.after')} onClick={() => find(text, false)}>
        <Down />
      </IconButton>
      <IconButton aria-label={ui('actions.close')} onClick={onClose}>
        <Close />
      </IconButton>
    </Paper>
  );
}
