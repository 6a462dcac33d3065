// The bell: how many messages are unread, and the messages.
import { useLive } from '@gantry/ui/live/live-provider.tsx';
import Notifications from '@mui/icons-material/NotificationsOutlined';
import Badge from '@mui/material/Badge';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import { useState } from 'react';
import { unreadOf } from './bell-messages.ts';
import { BellPopup } from './bell-popup.tsx';
import { useMessages } from './use-bell.ts';
import { useOnceOpen } from './use-once-open.ts';
import { useShellWords } from './use-shell-words.ts';

const POPUP_PX = 329;

export function Bell() {
  const t = useShellWords();
  const messages = useMessages();
  const live = useLive();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const hasPopup = useOnceOpen(anchor !== null);
  const unread = unreadOf(messages.data);
  const label = t('bell.label', { smart_count: unread });
  return (
    <>
      <IconButton
        color="inherit"
        onClick={(event) => setAnchor(event.currentTarget)}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={label}
      >
        <Badge badgeContent={unread} color="error" max={99}>
          <Notifications />
        </Badge>
      </IconButton>
      {hasPopup && (
        <Popover
          anchorEl={anchor}
          open={anchor !== null}
          onClose={() => setAnchor(null)}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: 'top', horizontal: 'right' }}
          slotProps={{
            paper: {
              role: 'dialog',
              'aria-label': t('bell.title'),
              sx: { width: POPUP_PX, maxWidth: 'calc(100vw - 32px)' },
            },
          }}
        >
          <BellPopup messages={messages} live={live} onLeave={() => setAnchor(null)} />
        </Popover>
      )}
    </>
  );
}
