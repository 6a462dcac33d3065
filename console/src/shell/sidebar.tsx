// The sidebar: 232 px, or 56 with icons alone. Below 768 px it is a drawer over the page.
import KeyboardDoubleArrowLeft from '@mui/icons-material/KeyboardDoubleArrowLeft';
import KeyboardDoubleArrowRight from '@mui/icons-material/KeyboardDoubleArrowRight';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import type { Theme } from '@mui/material/styles';
import Tooltip from '@mui/material/Tooltip';
import useMediaQuery from '@mui/material/useMediaQuery';
import { Later } from './later.tsx';
import { Logo } from './logo.tsx';
import { MenuList } from './menu-list.tsx';
import { useOnceOpen } from './use-once-open.ts';
import { useShellWords } from './use-shell-words.ts';

const WIDE_PX = 232;
const NARROW_PX = 56;
export const HEADER_PX = 48;

const TOGGLE = { fontSize: 18, color: 'neutral.6' } as const;

export function Sidebar({ isNarrow, onToggle }: { isNarrow: boolean; onToggle(): void }) {
  const t = useShellWords();
  const label = t(isNarrow ? 'sidebar.wide' : 'sidebar.narrow');
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down('md'), { noSsr: true });
  if (isPhone) return null;
  return (
    <Box
      component="aside"
      sx={{
        display: 'flex',
        flexDirection: 'column',
        flex: 'none',
        width: isNarrow ? NARROW_PX : WIDE_PX,
        transition: 'width 150ms',
        position: 'sticky',
        top: 0,
        height: '100dvh',
        bgcolor: 'background.default',
        borderInlineEnd: 1,
        borderColor: 'divider',
        overflow: 'hidden',
      }}
    >
      <Box
        sx={{
          height: isNarrow ? HEADER_PX + 32 : HEADER_PX,
          display: 'flex',
          flexDirection: isNarrow ? 'column' : 'row',
          alignItems: 'center',
          justifyContent: isNarrow ? 'flex-end' : 'space-between',
          px: isNarrow ? 0 : 1.5,
          flex: 'none',
        }}
      >
        <Logo isShort={isNarrow} />
        <Tooltip title={label} placement="right">
          <IconButton onClick={onToggle} aria-label={label} aria-expanded={!isNarrow} size="small" sx={{ p: '7px' }}>
            {isNarrow ? <KeyboardDoubleArrowRight sx={TOGGLE} /> : <KeyboardDoubleArrowLeft sx={TOGGLE} />}
          </IconButton>
        </Tooltip>
      </Box>
      <Later>
        <MenuList isNarrow={isNarrow} />
      </Later>
    </Box>
  );
}

export function SidebarDrawer({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const t = useShellWords();
  if (!useOnceOpen(isOpen)) return null;
  return (
    <Drawer
      open={isOpen}
      onClose={onClose}
      sx={{ display: { md: 'none' } }}
      slotProps={{ paper: { sx: { width: WIDE_PX }, 'aria-label': t('sidebar.label') } }}
    >
      <Box sx={{ height: HEADER_PX, display: 'flex', alignItems: 'center', px: 1.5, flex: 'none' }}>
        <Logo onClick={onClose} />
      </Box>
      <MenuList onPick={onClose} />
    </Drawer>
  );
}
