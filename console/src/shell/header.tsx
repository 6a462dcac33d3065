// The head of the frame: the current place, the organisation, and the global tools.
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { isViewing } from '@gantry/ui/session/view-session.ts';
import MenuIcon from '@mui/icons-material/Menu';
import Search from '@mui/icons-material/Search';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Balance } from './balance.tsx';
import { Bell } from './bell.tsx';
import { Crumbs } from './crumbs.tsx';
import { HeaderLinks } from './header-links.tsx';
import { Later } from './later.tsx';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { PALETTE_KEY } from './shortcut-keys.ts';
import { HEADER_PX } from './sidebar.tsx';
import { useShellWords } from './use-shell-words.ts';
import { UserMenu } from './user-menu.tsx';

interface HeaderProps {
  onMenu(): void;
  onPalette(): void;
  onShortcuts(): void;
}

export function Header({ onMenu, onPalette, onShortcuts }: HeaderProps) {
  const t = useShellWords();
  const ui = useUiWords();
  // Elements without room are not rendered at all.
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down('md'), { noSsr: true });
  const isShort = useMediaQuery((theme: Theme) => theme.breakpoints.down('lg'), { noSsr: true });
  return (
    <Box
      component="header"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 'appBar',
        minHeight: HEADER_PX,
        display: 'flex',
        alignItems: 'center',
        gap: { xs: 0, md: 0.5 },
        px: { xs: 0.5, md: 3 },
        pl: { xs: 0.5, md: 2 },
        bgcolor: 'background.default',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Later>
        {isPhone && (
          <IconButton color="inherit" onClick={onMenu} aria-label={t('sidebar.open')}>
            <MenuIcon />
          </IconButton>
        )}
        <OrganizationSwitcher />
        <Box sx={{ flex: 1, minWidth: 0, pl: 1, overflow: 'hidden' }}>{!isShort && <Crumbs />}</Box>
        {isShort ? (
          <IconButton color="inherit" onClick={onPalette} aria-label={t('header.search')}>
            <Search />
          </IconButton>
        ) : (
          <Button
            color="inherit"
            variant="outlined"
            size="small"
            startIcon={<Search />}
            onClick={onPalette}
            title={t('header.search')}
            aria-keyshortcuts="Control+K Meta+K"
            sx={{ borderColor: 'divider', color: 'text.secondary', mr: 1 }}
          >
            {ui('actions.search')}
            <Box component="kbd" sx={{ ml: 1, fontFamily: 'inherit', fontWeight: 400 }}>
              {PALETTE_KEY}
            </Box>
          </Button>
        )}
        <Balance />
        {!isPhone && (
          <Box sx={{ display: 'flex' }}>
            <HeaderLinks />
          </Box>
        )}
        {/* Messages and the account are a member's. */}
        {!isViewing() && <Bell />}
        {!isViewing() && <UserMenu onShortcuts={onShortcuts} />}
      </Later>
    </Box>
  );
}
