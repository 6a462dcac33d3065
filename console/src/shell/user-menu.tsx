// The person who is logged in, and what belongs to them.
import { Appearance } from '@gantry/ui/widgets/appearance.tsx';
import AccountCircle from '@mui/icons-material/AccountCircleOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Popover from '@mui/material/Popover';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useMe } from '../parts/use-me.ts';
import { HeaderLinks } from './header-links.tsx';
import { useLogOut } from './use-log-out.ts';
import { useOnceOpen } from './use-once-open.ts';
import { useShellWords } from './use-shell-words.ts';

export function UserMenu({ onShortcuts }: { onShortcuts(): void }) {
  const t = useShellWords();
  const { data: me } = useMe();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const hasPopup = useOnceOpen(anchor !== null);
  const close = () => setAnchor(null);
  const label = t('user.label', { name: me?.username ?? '' });
  return (
    <>
      <IconButton
        color="inherit"
        onClick={(event) => setAnchor(event.currentTarget)}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        aria-label={label}
      >
        <AccountCircle />
      </IconButton>
      {hasPopup && (
        <Popover
          anchorEl={anchor}
          open={anchor !== null}
          onClose={close}
          anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
          transformOrigin={{ vertical: 'top', horizontal: 'right' }}
          slotProps={{
            paper: { role: 'dialog', 'aria-label': label, sx: { width: 328, maxWidth: 'calc(100vw - 32px)', p: 2 } },
          }}
        >
          <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{me?.username}</Typography>
          <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere', mb: 1 }}>
            {me?.email ?? me?.phone_num}
          </Typography>
          <Entry to="/manage/account" onClick={close}>
            {t('user.account')}
          </Entry>
          <Box sx={{ display: { md: 'none' } }}>
            <HeaderLinks onPick={close} />
          </Box>
          <Entry
            onClick={() => {
              close();
              onShortcuts();
            }}
          >
            {t('user.shortcuts')}
          </Entry>
          <Divider sx={{ my: 1 }} />
          <Appearance />
          <Divider sx={{ my: 1 }} />
          <LogOut />
        </Popover>
      )}
    </>
  );
}

function Entry({ to, onClick, children }: { to?: string; onClick(): void; children: ReactNode }) {
  return (
    <Button
      color="inherit"
      fullWidth
      onClick={onClick}
      {...(to !== undefined && { component: Link, to })}
      sx={{ justifyContent: 'flex-start', fontWeight: 400, px: 1 }}
    >
      {children}
    </Button>
  );
}

function LogOut() {
  const t = useShellWords();
  const { logOut, isLeaving } = useLogOut();
  return (
    <Button variant="outlined" color="inherit" fullWidth loading={isLeaving} onClick={logOut}>
      {t('user.logout')}
    </Button>
  );
}
