// The frame of the operators' console: the sidebar, the head, and the page between them, as in the tenants' console.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { ADMIN_MENUS } from '@gantry/contract/roles.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { useAreaWords, useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { onceReloadIsFree } from '@gantry/ui/session/hold-reload.ts';
import { newVersionCheck } from '@gantry/ui/session/version-check.ts';
import { Appearance } from '@gantry/ui/widgets/appearance.tsx';
import { Mark } from '@gantry/ui/widgets/mark.tsx';
import { MenuItem } from '@gantry/ui/widgets/menu-item.tsx';
import { useToast } from '@gantry/ui/widgets/toast.tsx';
import { useSidebar } from '@gantry/ui/widgets/use-sidebar.ts';
import AccountCircle from '@mui/icons-material/AccountCircleOutlined';
import KeyboardDoubleArrowLeft from '@mui/icons-material/KeyboardDoubleArrowLeft';
import KeyboardDoubleArrowRight from '@mui/icons-material/KeyboardDoubleArrowRight';
import MenuIcon from '@mui/icons-material/Menu';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import Popover from '@mui/material/Popover';
import type { Theme } from '@mui/material/styles';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Error as ErrorPage, useLogout, usePermissions } from 'react-admin';
import { ErrorBoundary } from 'react-error-boundary';
import { Link, useLocation } from 'react-router';
import { ConflictDialog } from '../parts/conflict-dialog.tsx';
import { PageLoading } from '../parts/page-loading.tsx';
import { useNames } from '../table-words.ts';
import { menuOf } from '../tables.ts';
import type { words as english } from '../words/en/shell.ts';
import { Crumbs } from './crumbs.tsx';
import { MENU_ICONS } from './menu-icons.tsx';
import { SearchTool } from './search-tool.tsx';

const WIDE_PX = 232;
const NARROW_PX = 56;
const HEADER_PX = 48;
const MAIN = 'main';
const RELOAD_AFTER_MS = 2_000;

export function Frame({ children }: { children: ReactNode }) {
  const ui = useUiWords();
  const t = useAreaWords<typeof english>('shell');
  const { isNarrow, toggle } = useSidebar();
  const [isOpen, setOpen] = useState(false);
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down('md'), { noSsr: true });
  const { pathname, search } = useLocation();
  const main = useFocusOnNavigation();
  useVersionCheck();
  // For a wall there is nothing but the page.
  if (pathname === '/home' && new URLSearchParams(search).has('wall'))
    return <Page pathname={pathname}>{children}</Page>;
  return (
    <Box sx={{ display: 'flex', minHeight: '100dvh' }}>
      <Button
        href={`#${MAIN}`}
        variant="contained"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        sx={{ position: 'absolute', top: 8, left: 8, zIndex: 'tooltip', '&:not(:focus)': { clipPath: 'inset(50%)' } }}
      >
        {ui('links.skip')}
      </Button>
      {isPhone ? (
        <Drawer
          open={isOpen}
          onClose={() => setOpen(false)}
          slotProps={{ paper: { sx: { width: WIDE_PX }, 'aria-label': t('sidebar.label') } }}
        >
          <Logo />
          <Menus onPick={() => setOpen(false)} />
        </Drawer>
      ) : (
        <Sidebar isNarrow={isNarrow} toggle={toggle} />
      )}
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
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
            bgcolor: 'background.default',
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          {isPhone && (
            <IconButton color="inherit" onClick={() => setOpen(true)} aria-label={t('sidebar.open')}>
              <MenuIcon />
            </IconButton>
          )}
          <Box sx={{ flex: 1, minWidth: 0, overflow: 'hidden' }}>{!isPhone && <Crumbs />}</Box>
          <SearchTool />
          <UserMenu />
        </Box>
        <Box
          component="main"
          id={MAIN}
          ref={main}
          tabIndex={-1}
          sx={{ flex: 1, minWidth: 0, p: { xs: 2, md: 3 }, outline: 'none !important' }}
        >
          <Page pathname={pathname}>{children}</Page>
        </Box>
      </Box>
      <ConflictDialog />
    </Box>
  );
}

function Sidebar({ isNarrow, toggle }: { isNarrow: boolean; toggle(): void }) {
  const t = useAreaWords<typeof english>('shell');
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
          pr: isNarrow ? 0 : 1.5,
          flex: 'none',
        }}
      >
        <Logo isShort={isNarrow} />
        <Tooltip title={t(isNarrow ? 'sidebar.wide' : 'sidebar.narrow')} placement="right">
          <IconButton
            onClick={toggle}
            aria-label={t(isNarrow ? 'sidebar.wide' : 'sidebar.narrow')}
            aria-expanded={!isNarrow}
            size="small"
            sx={{ p: '7px', color: 'neutral.6', '& svg': { fontSize: 18 } }}
          >
            {isNarrow ? <KeyboardDoubleArrowRight /> : <KeyboardDoubleArrowLeft />}
          </IconButton>
        </Tooltip>
      </Box>
      <Menus isNarrow={isNarrow} />
    </Box>
  );
}

/** A page that fails says so, and the next one works. */
function Page({ pathname, children }: { pathname: string; children: ReactNode }) {
  const [info, setInfo] = useState<{ componentStack?: string | null }>({});
  return (
    <ErrorBoundary
      key={pathname}
      onError={(_, at) => setInfo(at)}
      fallbackRender={({ error, resetErrorBoundary }) => (
        <ErrorPage error={error as Error} errorInfo={info as never} resetErrorBoundary={resetErrorBoundary} />
      )}
    >
      <Suspense fallback={<PageLoading />}>{children}</Suspense>
    </ErrorBoundary>
  );
}

function Logo({ isShort = false }: { isShort?: boolean }) {
  const t = useAreaWords<typeof english>('shell');
  return (
    <Box sx={{ height: HEADER_PX, display: 'flex', alignItems: 'center', px: 1.5, flex: 'none' }}>
      <Box
        component={Link}
        to="/home"
        {...(isShort && { 'aria-label': t('toHome') })}
        title={t('toHome')}
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          px: 0.5,
          color: 'text.primary',
          textDecoration: 'none',
          fontWeight: 600,
          fontSize: 16,
          letterSpacing: '-0.011em',
          whiteSpace: 'nowrap',
        }}
      >
        <Mark size={24} />
        {!isShort && <span>{t('product')}</span>}
      </Box>
    </Box>
  );
}

function Menus({ isNarrow = false, onPick }: { isNarrow?: boolean; onPick?: () => void }) {
  const t = useAreaWords<typeof english>('shell');
  const names = useNames();
  const { pathname } = useLocation();
  const { permissions } = usePermissions<ReadonlySet<string>>();
  const here = pathname === '/home' ? 'home' : menuOf(pathname);
  const menus = ['home', ...ADMIN_MENUS.filter((menu) => permissions?.has(`manage/${menu}`))] as const;
  return (
    <Box component="nav" aria-label={t('sidebar.label')} sx={{ flex: 1, overflowY: 'auto', overflowX: 'hidden' }}>
      <List dense sx={{ px: 1 }}>
        {menus.map((menu) => {
          const to = menu === 'home' ? '/home' : `/manage/${menu}`;
          return (
            <MenuItem
              key={menu}
              to={to}
              label={names.menu(menu)}
              Icon={MENU_ICONS[menu]}
              here={here !== menu ? undefined : 'page'}
              isNarrow={isNarrow}
              {...(onPick && { onPick })}
            />
          );
        })}
      </List>
    </Box>
  );
}

function UserMenu() {
  const t = useAreaWords<typeof english>('shell');
  const names = useNames();
  const logOut = useLogout();
  const { data: me } = useCall(CALLS.getMe, {});
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
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
      <Popover
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': label, sx: { width: 328, maxWidth: 'calc(100vw - 32px)', p: 2 } },
        }}
      >
        <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{me?.username}</Typography>
        <Typography variant="body2" color="text.secondary" sx={{ mb: 1 }}>
          {me?.platform_roles.map(names.role).join(', ')}
        </Typography>
        <Divider sx={{ my: 1 }} />
        <Appearance />
        <Divider sx={{ my: 1 }} />
        <Button variant="outlined" color="inherit" fullWidth onClick={() => void logOut()}>
          {t('user.logout')}
        </Button>
      </Popover>
    </>
  );
}

/** Keyboard and screen reader users continue at the new page's beginning, unless the page has moved the focus itself. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const former = useRef(pathname);
  useEffect(() => {
    if (former.current === pathname) return;
    former.current = pathname;
    const isPlaced = main.current?.contains(document.activeElement) && document.activeElement !== main.current;
    if (!isPlaced) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** A new version reloads the page, once, and when nothing is typed. */
function useVersionCheck(): void {
  const [check] = useState(() => newVersionCheck(GANTRY_VERSION));
  const { pathname } = useLocation();
  const toast = useToast();
  const t = useAreaWords<typeof english>('shell');
  const look = useEffectEvent(async () => {
    if (document.visibilityState === 'hidden' || (await check.look()) === undefined) return;
    onceReloadIsFree(() => {
      toast.info(t('newVersion'));
      setTimeout(() => location.reload(), RELOAD_AFTER_MS);
    });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is gone to is an occasion
  useEffect(() => void look(), [pathname]);
  useEffect(() => {
    const seen = () => void look();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);
}
