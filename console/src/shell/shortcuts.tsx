// The keyboard shortcuts.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { PALETTE_KEY } from './shortcut-keys.ts';
import { useShellWords } from './use-shell-words.ts';

const ROWS = [
  ['palette', PALETTE_KEY],
  ['sidebar', '['],
  ['help', '?'],
  ['arrows', '↑ ↓'],
  ['escape', 'Esc'],
] as const;

/** Mount it where it should open. */
export function Shortcuts({ onClose }: { onClose(): void }) {
  const t = useShellWords();
  const ui = useUiWords();
  const id = useId();
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>{t('shortcuts.title')}</DialogTitle>
      <DialogContent>
        <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 2, rowGap: 1 }}>
          {ROWS.map(([name, keys]) => (
            <Box key={name} sx={{ display: 'contents' }}>
              <Box component="dt" sx={{ fontFamily: MONO, whiteSpace: 'nowrap' }}>
                {keys}
              </Box>
              <Box component="dd" sx={{ m: 0 }}>
                {t(`shortcuts.${name}`)}
              </Box>
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{ui('actions.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
