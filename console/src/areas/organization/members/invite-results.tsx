// The result of each invitation.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import { useId } from 'react';
import { useOrganizationWords } from '../use-organization-words.ts';
import type { Invited } from './invite-people.tsx';

const TONES = { invited: 'success', refused: 'error' } as const;

interface InviteResultsProps {
  results: readonly Invited[];
  onMore(): void;
  onClose(): void;
}

export function InviteResults({ results, onMore, onClose }: InviteResultsProps) {
  const t = useOrganizationWords();
  const ui = useUiWords();
  const id = useId();
  // Results that need attention come first.
  const sorted = [...results].sort(
    (one, other) => Number(other.outcome === 'refused') - Number(one.outcome === 'refused'),
  );
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby={id}>
      <DialogTitle id={id}>{t('invite.results')}</DialogTitle>
      <DialogContent>
        <List disablePadding>
          {sorted.map(({ account, outcome, message }) => (
            <ListItem key={account} disableGutters sx={{ gap: 2 }}>
              <ListItemText primary={account} secondary={message} sx={{ overflowWrap: 'anywhere' }} />
              <Chip size="small" variant="outlined" color={TONES[outcome]} label={t(`invite.${outcome}`)} />
            </ListItem>
          ))}
        </List>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onMore}>{t('invite.more')}</Button>
        <Button variant="contained" autoFocus onClick={onClose}>
          {ui('actions.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
